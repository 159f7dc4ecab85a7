# cmake --install puts up a package that find_package(fovea) finds, with the targets fovea::fovea
# and fovea::scene (and fovea::render where it was built).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fovea)
set(installed fovea fovea_scene)
if(TARGET fovea_render)
  list(APPEND installed fovea_render)
endif()

set_target_properties(fovea_scene PROPERTIES EXPORT_NAME scene)
if(TARGET fovea_render)
  set_target_properties(fovea_render PROPERTIES EXPORT_NAME render)
endif()

install(TARGETS ${installed} EXPORT fovea-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fovea_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/fovea/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fovea
        FILES_MATCHING PATTERN "*.h")
install(EXPORT fovea-targets NAMESPACE fovea:: DESTINATION ${package_dir})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/foveaConfig.cmake.in ${PROJECT_BINARY_DIR}/foveaConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/foveaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/foveaConfig.cmake ${PROJECT_BINARY_DIR}/foveaConfigVersion.cmake
        DESTINATION ${package_dir})

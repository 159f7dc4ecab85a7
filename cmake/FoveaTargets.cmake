# Flags that every target of the project shares.
#
# No -ffast-math and no contraction of a*b+c: the same inputs must give the same bits with every
# compiler optimisation and on every instruction set.
add_library(fovea_flags INTERFACE)
target_compile_options(fovea_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-float-conversion
  -ffp-contract=off)
if(FOVEA_SANITIZE)
  target_compile_options(fovea_flags INTERFACE
    -fsanitize=${FOVEA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(fovea_flags INTERFACE -fsanitize=${FOVEA_SANITIZE})
  # Instrumented SIMD kernels take minutes to compile for one instruction set. Two of different
  # width suffice to find what reads or writes past an end; races and readers need but one.
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(fovea_flags INTERFACE -msse4.2 -maes -mpclmul)
    if(FOVEA_SANITIZE STREQUAL "thread" OR FOVEA_FUZZ)
      target_compile_definitions(fovea_flags INTERFACE HWY_COMPILE_ONLY_STATIC)
    else()
      target_compile_definitions(fovea_flags INTERFACE HWY_DISABLED_TARGETS=HWY_AVX3)
    endif()
  endif()
endif()

# fovea_library(NAME ROOM...): a static library of all sources in the given rooms of fovea/.
function(fovea_library name)
  set(sources)
  foreach(room IN LISTS ARGN)
    file(GLOB room_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fovea/${room}/*.cpp)
    list(APPEND sources ${room_sources})
  endforeach()
  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:fovea_flags>)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

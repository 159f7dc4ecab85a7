// Impacts at several contacts at once as a linear complementarity problem, solved exactly.
//
// With v the velocities of all bodies (six numbers each), M their masses and inertias and J the
// directions of the contacts, row i of J v is the speed at which contact i separates. Impulses f
// change it by A f, A = J M^-1 J^T (Dingliana, section 3.2.1). Asked for is, for given b,
//
//   w = A f + b >= 0,   f >= 0,   f . w = 0.
//
// Every set of contacts is tried as the one that bears impulses (w = 0 there, f = 0 elsewhere):
// 2^n linear systems, for a handful of contacts. A may be singular, as under a box with four
// corners; then some set with a regular matrix still gives a solution (Carathéodory), and A f, so
// every velocity, is the same for all solutions because A is positive semidefinite.
#pragma once

#include <Eigen/Dense>
#include <span>

#include "fovea/contact/contact.h"
#include "fovea/dynamics/bodies.h"

struct ImpactSystem {
    Eigen::MatrixXd inverse_mass; ///< M^-1, all bodies
    Eigen::MatrixXd directions;   ///< J: contacts x 6 bodies
    Eigen::VectorXd velocity;     ///< v: linear, angular, body by body

    Eigen::MatrixXd matrix() const { return directions * inverse_mass * directions.transpose(); }
    Eigen::VectorXd separation_speed() const { return directions * velocity; }
    Eigen::VectorXd after(const Eigen::VectorXd& impulses) const {
        return velocity + inverse_mass * directions.transpose() * impulses;
    }
};

/// Needs world-space inertias. Lever arms run to each body's own point of the contact.
ImpactSystem impact_system(const fovea::Bodies& bodies, std::span<const fovea::Contact> contacts);

struct ComplementaritySolution {
    Eigen::VectorXd impulses;
    /// By how much the worst condition fails, in the units of b; rounding if there is a solution.
    double violation;
};

ComplementaritySolution solve_complementarity(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

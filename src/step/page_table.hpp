// What a compiled model tells the kernel of a page (viewer/kernel/motion.cpp): whole numbers and numbers, each list in one array. The
// program writes them (report/page_model.cpp), the page copies them into the kernel's memory.
//
//   integers   the entries of PageInteger | slots of PageKernel | places of PageOutput for each kernel up to step_end |
//              pairs of Configuration, plain ones and quaternions | clock of every discrete value | kinds of comparisons |
//              entries of x that roots depend on | states of received and of lost energy | inputs of the frame
//   numbers    the entries of PageNumber | x | d | w | p | atol | one over the sizes of rows, positions, velocities | period and offset of
//              every clock | breakaway of every comparison
#pragma once

namespace armature::step {

enum PageInteger {
  page_nq,
  page_nv,
  page_nz,
  page_nd,
  page_nw,
  page_np,
  page_rows,        // of the traced solve
  page_all_rows,    // of constraints
  page_work,        // the state that holds what stabilization adds, among z; -1: none
  page_quantities,  // recorded
  page_wrenches,    // numbers of reactions
  page_inputs,      // of the kernel that has most
  page_outputs,
  page_alpha,  // places of further inputs
  page_beta,
  page_position_error,
  page_velocity_error,
  page_weight,
  page_vdot,
  page_lambda,
  page_method,      // by PageMethod
  page_symplectic,  // semi-implicit Euler, with the tableau of Euler
  page_projects,  // 1: states onto the constraints; 2: there are none, only the quaternions of rows get length one; 0: nothing
  page_pulled,   // by Baumgarte's terms
  page_nesting,  // of comparisons
  page_follows,  // some discrete value follows the steps
  page_plain,    // pairs of positions and velocities
  page_quaternions,
  page_clocks,
  page_root_entries,
  page_received,  // states of energy that entered
  page_lost,      // and that left
  page_frame_inputs,
  page_frame_outputs,
  page_lookups,  // numbers by which a step hides a hump of a table
  page_integers
};

enum PageMethod { page_euler, page_midpoint, page_classical, page_dormand_prince_54, page_dormand_prince_853 };

enum PageKernel {
  page_acceleration,  // with Baumgarte's terms where the model is pulled
  page_correct_position,
  page_correct_velocity,
  page_correct_velocity_and_errors,
  page_correct_motion,
  page_step_end,
  page_kernels_with_places,
  page_roots = page_kernels_with_places,
  page_root_rates,
  page_discrete,
  page_energy,
  page_next_stop,
  page_observables,
  page_reactions,
  page_frame,
  page_kernels
};

enum PageOutput {
  page_out_vdot,
  page_out_lambda,
  page_out_qdot,
  page_out_zdot,
  page_out_dq,
  page_out_dv,
  page_out_d_position_error,
  page_out_d_velocity_error,
  page_out_position_error,
  page_out_velocity_error,
  page_out_work,
  page_out_phi,
  page_out_phidot,
  page_out_mass_pivots,
  page_out_pivots,
  page_out_scales,
  page_outputs_with_places
};

enum PageNumber {
  page_t,
  page_end,
  page_record,
  page_step,
  page_max_step,
  page_rtol,
  page_rate,
  page_alpha_gain,
  page_beta_gain,
  page_numbers
};

// A row: t | x | quantities, energies (kinetic, potential, elastic, magnetic) | multipliers of the solve's rows | reactions | these
enum PageRowEnd {
  page_energy_error,
  page_smallest_pivot,
  page_position_residual,
  page_velocity_residual,
  page_row_ends
};

// How a motion goes on.
enum PageStatus {
  page_goes_on,
  page_finished,
  page_singular,        // the full engine would have to decide on the rank of the constraints
  page_off,             // the state does not return to its constraints
  page_step_too_small,  // error control asks for steps below round-off
  page_out_of_reach,    // a function was asked for a number that only the C library has
  page_not_sound,       // a step is too long to be interpolated
  page_several_stick,   // weights of several comparisons at once, which the full engine finds
};

}  // namespace armature::step

// What a compiled model tells the kernel of a page (viewer/kernel/motion.cpp): whole numbers and numbers, each list in one array. The
// program writes them (report/page_model.cpp), the page copies them into the kernel's memory.
//
//   integers   the entries of PageInteger | slots of the kernels (kernel_list.hpp), and of the frame | pairs of Configuration, plain
//              ones and quaternions | clock of every discrete value | kinds of comparisons | entries of x that roots depend on |
//              states of received and of lost energy | places of the modes of contacts | inputs of the frame
//   numbers    the entries of PageNumber | x | d | w | p | atol | one over the sizes of rows, positions, velocities | period and offset of
//              every clock | breakaway of every comparison
#pragma once

#include "step/kernel_list.hpp"

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
  page_events,
  page_contacts,          // rigid ones
  page_contact_softness,  // ContactSizes
  page_impact_work,
  page_sequential_impacts,
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

// Slots: those of the kernels by Kernel, then this one. -1: the page does not call it.
inline constexpr int page_frame = kernel_count, page_slots = kernel_count + 1;

enum PageNumber {
  page_t,
  page_end,
  page_record,
  page_step,
  page_max_step,
  page_rtol,
  page_rate,
  page_machine_length,  // m
  page_alpha_gain,
  page_beta_gain,
  page_numbers
};

// Numbers of a contact: closed, sticks, direction, across, slow, and whether its gap is a length (ContactPlaces).
inline constexpr int page_contact_places = 6;

// The last numbers of a row.
enum PageRowEnd {
  page_energy_error,
  page_smallest_pivot,
  page_position_residual,
  page_velocity_residual,
  page_row_ends
};

// Where the parts of a row begin: t | x | quantities | energies (kinetic, potential, elastic, magnetic) | multipliers of the solve's rows |
// reactions | the last numbers
struct PageRowLayout {
  PageRowLayout(int nx, int quantity_count, int row_count, int wrench_count)
      : quantities(x + nx),
        energies(quantities + quantity_count),
        multipliers(energies + 4),
        rows(row_count),
        wrenches(multipliers + rows),
        ends(wrenches + wrench_count),
        size(ends + page_row_ends) {}
  int x = 1, quantities, energies, multipliers, rows, wrenches, ends, size;
};

// How a motion goes on, and its name in the page.
#define ARMATURE_PAGE_STATUSES(STATUS)                                                                         \
  STATUS(goes_on, "goes on")                                                                                   \
  STATUS(finished, "finished")                                                                                 \
  STATUS(singular, "singular")             /* the full engine would have to decide on the rank */              \
  STATUS(off, "off")                       /* the state does not return to its constraints */                  \
  STATUS(step_too_small, "step too small") /* error control asks for steps below round-off */                  \
  STATUS(out_of_reach, "out of reach")     /* a function was asked for a number that only the C library has */ \
  STATUS(not_sound, "not sound")           /* a step is too long to be interpolated */                         \
  STATUS(several_stick, "several stick")   /* weights of several comparisons, which the full engine finds */   \
  STATUS(leaves_contacts, "contacts")      /* what only the full engine knows of rigid contacts, or warns of */
enum PageStatus {
#define STATUS(name, word) page_##name,
  ARMATURE_PAGE_STATUSES(STATUS)
#undef STATUS
};
inline constexpr const char* page_status_words[] = {
#define STATUS(name, word) word,
    ARMATURE_PAGE_STATUSES(STATUS)
#undef STATUS
};

}  // namespace armature::step

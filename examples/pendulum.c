/* A run from C: sets an input, reads channels. */
#include <armature/armature.h>
#include <stdio.h>

int main(int argc, char** argv) {
  armature_machine* machine = armature_compile(argc > 1 ? argv[1] : "cart.yaml", NULL, NULL);
  armature_run* run = machine ? armature_run_new(machine) : NULL;
  if (!run) {
    fprintf(stderr, "%s\n", armature_error());
    return 1;
  }
  armature_set_input(run, armature_input(machine, "V"), 6);
  for (int k = 1; k <= 5; ++k) {
    if (armature_advance(run, 0.1 * k) != 0) fprintf(stderr, "%s\n", armature_error());
    printf("t = %.1f s: travel = %.6f m\n", armature_time(run), armature_value(run, armature_channel(run, "travel")));
  }
  armature_run_free(run);
  armature_machine_free(machine);
  return 0;
}

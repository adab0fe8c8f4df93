/* scalana: one command for the whole way. Each verb calls the command that does it. */
#include "verbs.h"

int main(int argc, char **argv)
{
    return sca_verbs_main(&sca_scalana, argc, argv);
}

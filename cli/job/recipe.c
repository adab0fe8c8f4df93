#include "job/recipe.h"
#include "job/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "scaling"

/* SCALANA_DEB is a variable of the project's: where its ScalAna package lies. */
static const char github[] =
    "# .github/workflows/scaling.yml: does a change keep the program from scaling?\n"
    "# Set the repository's variable SCALANA_DEB to the address of ScalAna's Debian package.\n"
    "# The artifact has badge.svg; to show it in the README, publish it (GitHub Pages).\n"
    "name: scaling\n"
    "on: [push, pull_request]\n"
    "permissions: {contents: read, actions: read}\n"
    "jobs:\n"
    "  scaling:\n"
    "    runs-on: ubuntu-latest\n"
    "    container: debian:bookworm\n"
    "    env:\n"
    "      GH_TOKEN: ${{ github.token }}\n"
    "      SCALANA_DEB: ${{ vars.SCALANA_DEB }}\n"
    "      OMPI_ALLOW_RUN_AS_ROOT: 1\n"
    "      OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: 1\n"
    "    defaults: {run: {shell: bash}}\n"
    "    steps:\n"
    "      - name: Install\n"
    "        run: |\n"
    "          apt-get update\n"
    "          apt-get install -y ca-certificates curl gh git make libopenmpi-dev openmpi-bin\n"
    "          curl -fsSLo scalana.deb \"$SCALANA_DEB\"\n"
    "          apt-get install -y ./scalana.deb\n"
    "      - uses: actions/checkout@v4\n"
    "      - name: Build # with your own command behind scalana build\n"
    "        run: |\n"
    "          scalana build make\n"
    "      - name: Run\n"
    "        run: |\n"
    "          %s\n"
    "      - name: Badge\n"
    "        if: always()\n"
    "        run: |\n"
    "          scalana badge " FOLDER " -o " FOLDER "/badge.svg\n"
    "      - name: Compare with the main branch\n"
    "        if: always()\n"
    "        run: |\n"
    "          last=$(gh run list -R \"$GITHUB_REPOSITORY\" -w scaling -b main -s success -L 1 "
    "--json databaseId --jq '.[0].databaseId') || last=\n"
    "          if [ -n \"$last\" ] && gh run download \"$last\" -R \"$GITHUB_REPOSITORY\" "
    "-n " FOLDER " -D before; then\n"
    "            { echo '```'; scalana diff before " FOLDER "; echo '```'; } | "
    "tee -a \"$GITHUB_STEP_SUMMARY\"\n"
    "          fi\n"
    "      - uses: actions/upload-artifact@v4 # report, page and badge\n"
    "        if: always()\n"
    "        with:\n"
    "          name: " FOLDER "\n"
    "          path: " FOLDER "\n";

static const char gitlab[] =
    "# .gitlab-ci.yml: does a change keep the program from scaling?\n"
    "# Set the project's variable SCALANA_DEB to the address of ScalAna's Debian package.\n"
    "# The badge of the main branch, for Settings > General > Badges:\n"
    "#   https://HOST/%%{project_path}/-/jobs/artifacts/%%{default_branch}/raw/" FOLDER
    "/badge.svg?job=scaling\n"
    "scaling:\n"
    "  image: debian:bookworm\n"
    "  variables:\n"
    "    OMPI_ALLOW_RUN_AS_ROOT: 1\n"
    "    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: 1\n"
    "  before_script:\n"
    "    - |\n"
    "      apt-get update\n"
    "      apt-get install -y ca-certificates curl git make libopenmpi-dev openmpi-bin\n"
    "      curl -fsSLo scalana.deb \"$SCALANA_DEB\"\n"
    "      apt-get install -y ./scalana.deb\n"
    "  script: # with your own command behind scalana build\n"
    "    - |\n"
    "      scalana build make\n"
    "    - |\n"
    "      %s\n"
    "  after_script:\n"
    "    - |\n"
    "      scalana badge " FOLDER " -o " FOLDER "/badge.svg\n"
    "    - |\n"
    "      mkdir -p before\n"
    "      if curl -fsSL -H \"JOB-TOKEN: $CI_JOB_TOKEN\" -o before/report.json "
    "\"$CI_API_V4_URL/projects/$CI_PROJECT_ID/jobs/artifacts/$CI_DEFAULT_BRANCH/raw/" FOLDER
    "/report.json?job=scaling\"; then\n"
    "        scalana diff before " FOLDER "\n"
    "      fi\n"
    "  artifacts: # report, page and badge\n"
    "    when: always\n"
    "    paths:\n"
    "      - " FOLDER "\n";

/* The recipe with the line of the run where %s stands; "%%" is a percent sign. */
static void print(const char *recipe, const char *line)
{
    for (; *recipe; recipe++)
        if (*recipe != '%') {
            putchar(*recipe);
        } else if (*++recipe == 's') {
            fputs(line, stdout);
        } else {
            putchar(*recipe);
        }
}

void sca_recipe_print(const struct sca_run_settings *s)
{
    char *line = sca_command_line(s, "scalana", FOLDER);
    print(!strcmp(s->ci, "github") ? github : gitlab, line);
    free(line);
}

# Sourced by demo.sh, test.sh and fuzz.sh: installs the packages they need. BUILD_PACKAGES are those
# of a build and of a run with Open MPI; TEST_PACKAGES are those that only the tests need.
#
#   need_packages NAME...   installs what is missing with apt, or says how to get it and exits 1

BUILD_PACKAGES="cmake ninja-build pkg-config gcc g++ python3 clang-19 llvm-19-dev zlib1g-dev
  libpapi-dev libdw-dev libelf-dev libzydis-dev uthash-dev libcjson-dev libmd-dev libncurses-dev
  libopenmpi-dev openmpi-bin"
TEST_PACKAGES="libmpich-dev mpich check libunwind-dev autoconf automake make flang-19 gfortran lld-19 llvm-19-tools meson
  clang-format-19 clang-tidy-19 libomp-19-dev binutils ccache tmux git chromium graphviz
  gcc-aarch64-linux-gnu dwz mandoc man-db zsh fish environment-modules lintian
  python3-cffi python3-numpy python3-pandas python3-igraph
  python3-matplotlib libopen-trace-format2-dev otf2-tools protobuf-compiler python3-pip python3-setuptools python3-wheel
  mypy"

missing_packages() {
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

need_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is not a Debian system: make sure that these are installed, by whatever name:" $* >&2
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  echo "Installing with apt: $missing"
  if { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; } &&
    as_root apt-get -qq update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install $missing >/dev/null; then
    return 0
  fi
  echo "Could not install what is missing. As root, do:" >&2
  echo "  apt-get update && apt-get install $missing" >&2
  exit 1
}

#!/bin/sh
# Installs the Debian package into a clean Debian 12 and works with it there: compile, run, detect.
#
#   scripts/test-deb.sh PACKAGE.deb FOLDER     root needed; FOLDER becomes the clean system
#
# The first time FOLDER is made by debootstrap and takes some minutes; a further time it is used
# as it is, and the package installed anew.
set -eu
package=$(realpath "$1")
root=$2
[ -e "$root/etc/debian_version" ] ||
  debootstrap --variant=minbase bookworm "$root" >"$root.log" 2>&1 ||
  { tail -n 5 "$root.log" >&2; exit 1; }
cp "$package" "$root/tmp/scalana.deb"

cat >"$root/tmp/ring.c" <<'EOF'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size;
    double x = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < (rank == 1 ? 30 : 10) * 100000; i++)
            x = x * 0.999999 + 1e-6;
        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (!rank)
        printf("%g\n", x);
    return MPI_Finalize();
}
EOF

cat >"$root/tmp/work.sh" <<'EOF'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
dpkg -s scalana >/dev/null 2>&1 && apt-get -qq -y purge scalana >/dev/null
apt-get -qq -y install --no-install-recommends /tmp/scalana.deb libopenmpi-dev openmpi-bin \
  python3-cffi python3-numpy >/dev/null
cd /tmp
rm -rf scalana-ring-* scalana-ring
scalana --version
for tool in static prof detect viewer live; do scalana-$tool --version; done
scalana-static mpicc -O1 ring.c -o ring
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun --oversubscribe --mca mpi_yield_when_idle 1 -n 4 scalana-prof ./ring
scalana-detect scalana-ring-4p --output=ring.json --html=ring.html
scalana-viewer ring.json | head -n 12
grep -q 'ring.c' ring.json
clang-19 /usr/share/doc/scalana/examples/library/causes.c -lscalana -o causes
./causes scalana-ring-4p | grep 'ring.c'
scalana build mpicc -O1 ring.c -o ring
scalana doctor ./ring
scalana run -n 2,4 ./ring
scalana view scalana-ring | head -n 4
python3 -c 'import scalana; print(scalana.load("scalana-ring-4p").vertices.top(3, "time"))' | grep 'ring.c'
apt-get -qq -y purge scalana >/dev/null
[ -z "$(find /usr -name '*scalana*')" ] || { echo "left behind:"; find /usr -name '*scalana*'; exit 1; }
EOF
for dir in proc dev dev/pts; do
  mountpoint -q "$root/$dir" || mount --bind "/$dir" "$root/$dir"
done
trap 'umount "$root/dev/pts" "$root/dev" "$root/proc"' EXIT
chroot "$root" sh /tmp/work.sh

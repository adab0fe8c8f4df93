"""A program in Python that calls MPI, without a package for it."""
import ctypes

mpi = ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
total = sum(i * i for i in range(200000))
world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")))
mpi.MPI_Barrier(world)
mpi.MPI_Finalize()

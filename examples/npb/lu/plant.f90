! The planted defects of LU; the delay itself is in sweep.f90.
module lu_plant
  use npb
  use lu_grid
  implicit none
  include 'mpif.h'
  private
  public :: lu_plant_init, lu_treat_boundary

  integer, parameter :: useless_per_point = 30 ! of the planted loops' turns, about

contains

  subroutine lu_plant_init(lu, run)
    type(lu_state), intent(inout) :: lu
    type(npb_run), intent(in) :: run
    double precision :: plane

    if (run%plant_rank >= lu%ranks) call npb_refuse(run, 'cannot plant on a rank without work')
    if (.not. lu%active) return
    plane = dble(lu%nx)*lu%ny*lu%ranks ! of all ranks: more of them do not make it less
    if (npb_planted(run, 'delay', run%rank == lu%ranks/2)) &
      lu%delay_points = npb_share(run, useless_per_point*plane)
    if (npb_planted(run, 'boundary', lu%north == MPI_PROC_NULL)) &
      lu%boundary_points = npb_share(run, useless_per_point*plane*lu%n)
  end subroutine lu_plant_init

  ! The pencils at the cube's first face treat it once for each rank there is.
  subroutine lu_treat_boundary(lu, run)
    type(lu_state), intent(in) :: lu
    type(npb_run), intent(inout) :: run
    double precision :: flux
    integer(8) :: point
    integer :: j

    flux = 0
    j = 1
    do point = 1, lu%boundary_points ! PLANT boundary
      flux = flux + sqrt(c1*lu%u(5, 1, j, 2)/lu%u(1, 1, j, 2))*lu%u(2, 1, j, 2)
      j = merge(1, j + 1, j == lu%ny)
    end do
    run%sink = run%sink + flux
  end subroutine lu_treat_boundary
end module lu_plant

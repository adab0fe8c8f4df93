! One iteration of SSOR: sweep up, sweep down, correct, find the new residual.
program lu_main
  use npb
  use lu_grid
  use lu_operator
  use lu_sweep
  use lu_plant
  use lu_verify
  implicit none
  type(npb_run) :: run
  type(lu_state) :: lu
  type(lu_figures) :: figures
  type(lu_class) :: problem
  double precision :: start, seconds

  call npb_start(run, 'lu', lu_classes%iterations, 'delay boundary')
  problem = lu_classes(run%class_index)
  call lu_grid_init(lu, run, problem%n, problem%dt)
  call lu_plant_init(lu, run)
  call say_idle(run, lu)
  if (lu%active) then
    call lu_start_values(lu)
    call lu_forcing(lu)
  end if

  start = npb_clock_start()
  if (lu%active) call solve(lu, run)
  seconds = npb_clock_stop(start)

  if (lu%active) call lu_measure(lu, figures)
  call say_figures(run, figures)
  call npb_finish(run, seconds, lu_agrees(figures, problem%expected))

contains

  subroutine solve(lu, run)
    type(lu_state), intent(inout) :: lu
    type(npb_run), intent(inout) :: run
    integer :: iteration

    call lu_residual(lu)
    do iteration = 1, run%iterations
      lu%rsd = lu%dt*lu%rsd
      call lu_sweep_up(lu, run)
      call lu_sweep_down(lu)
      call correct(lu, lu%u, lu%rsd)
      if (lu%boundary_points > 0) call lu_treat_boundary(lu, run)
      call lu_residual(lu)
    end do
  end subroutine solve

  subroutine correct(lu, u, rsd)
    type(lu_state), intent(in) :: lu
    double precision, intent(inout) :: u(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    double precision, intent(in) :: rsd(5, -1:lu%nx + 2, -1:lu%ny + 2, lu%n)
    integer :: i, j, k

    do k = 2, lu%n - 1
      do j = lu%first_j, lu%last_j
        do i = lu%first_i, lu%last_i
          u(:, i, j, k) = u(:, i, j, k) + rsd(:, i, j, k)/(omega*(2 - omega))
        end do
      end do
    end do
  end subroutine correct

  subroutine say_idle(run, lu)
    type(npb_run), intent(in) :: run
    type(lu_state), intent(in) :: lu
    character(len=80) :: line

    if (lu%ranks == run%ranks) return
    write (line, '(a, i0, a, i0, a, i0, a)') 'a cube of ', lu%n, ' points has work for ', &
      lu%ranks, ' ranks; the other ', run%ranks - lu%ranks, ' stand by'
    call npb_say(run, trim(line))
  end subroutine say_idle

  subroutine say_figures(run, figures)
    type(npb_run), intent(in) :: run
    type(lu_figures), intent(in) :: figures
    character(len=96) :: line

    write (line, '(a, 5es15.7)') 'residual', figures%residual
    call npb_say(run, trim(line))
    write (line, '(a, 5es15.7)') 'error   ', figures%error
    call npb_say(run, trim(line))
    write (line, '(a, es15.7)') 'surface ', figures%surface
    call npb_say(run, trim(line))
  end subroutine say_figures
end program lu_main

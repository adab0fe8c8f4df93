! Reads the options that every kernel takes, and starts MPI.
module npb
  use npb_base
  implicit none
  private
  public :: npb_start
  public :: npb_run, npb_refuse, npb_say, npb_finish, npb_planted, npb_share
  public :: npb_clock_start, npb_clock_stop

contains

  ! Starts MPI and reads the options; ends the program if they are wrong.
  ! `plants` lists the kinds this kernel has, separated by blanks.
  subroutine npb_start(run, kernel, iterations, plants)
    include 'mpif.h'
    type(npb_run), intent(out) :: run
    character(len=*), intent(in) :: kernel, plants
    integer, intent(in) :: iterations(4)
    character(len=64) :: line
    integer :: ierr

    run%kernel = kernel
    call mpi_init(ierr)
    call mpi_comm_rank(MPI_COMM_WORLD, run%rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, run%ranks, ierr)
    call read_options(run, plants)
    if (iand(run%ranks, run%ranks - 1) /= 0) then
      write (line, '(i0, a)') run%ranks, ' ranks: the number must be a power of two'
      call npb_refuse(run, line)
    end if
    if (run%iterations == 0) run%iterations = iterations(run%class_index)
    run%class_iterations = run%iterations == iterations(run%class_index)
    write (line, '(a, i0, a, i0, a)') ' class '//run%class//', ', run%iterations, &
      ' iterations, ', run%ranks, ' ranks'
    call npb_say(run, trim(kernel)//trim(line))
    if (run%plant /= 'none') then
      write (line, '(f0.1)') run%plant_amount
      call npb_say(run, 'planted: '//trim(run%plant)//', '//trim(line)//' %')
    end if
  end subroutine npb_start

  subroutine read_options(run, plants)
    type(npb_run), intent(inout) :: run
    character(len=*), intent(in) :: plants
    character(len=128) :: option, value
    integer :: next

    next = 1
    do while (next <= command_argument_count())
      call get_command_argument(next, option)
      next = next + 1
      call split_option(option, value, next)
      select case (option)
      case ('-c', '--class')
        call set_class(run, value)
      case ('-n', '--iterations')
        call set_iterations(run, value)
      case ('-p', '--plant')
        call set_plant(run, value, plants)
      case ('-h', '--help')
        call usage(run, plants)
      case default
        call npb_refuse(run, 'wrong option '''//trim(option)//'''; try --help')
      end select
    end do
  end subroutine read_options

  ! The value of --name=value, of -xvalue, or the next argument.
  subroutine split_option(option, value, next)
    character(len=*), intent(inout) :: option
    character(len=*), intent(out) :: value
    integer, intent(inout) :: next
    integer :: equals

    equals = index(option, '=')
    value = ''
    if (option(1:2) == '--' .and. equals > 0) then
      value = option(equals + 1:)
      option = option(:equals - 1)
    else if (option(1:1) == '-' .and. option(2:2) /= '-' .and. option(3:) /= '') then
      value = option(3:)
      option = option(:2)
    else if (option /= '-h' .and. option /= '--help') then
      call get_command_argument(next, value)
      next = next + 1
    end if
  end subroutine split_option

  subroutine usage(run, plants)
    type(npb_run), intent(in) :: run
    character(len=*), intent(in) :: plants

    call npb_say(run, 'usage: '//trim(run%kernel)//' [options]')
    call npb_say(run, '  -c, --class=S|W|A|B     problem class (default S)')
    call npb_say(run, '  -n, --iterations=N      iterations (default 0: those of the class)')
    call npb_say(run, '  -p, --plant=KIND[:RANK[:AMOUNT]]')
    call npb_say(run, '                          plant a defect; AMOUNT is a percentage')
    call npb_say(run, '  -h, --help              this text')
    call npb_say(run, 'kinds: '//plants)
    call npb_leave(0)
  end subroutine usage

  subroutine set_class(run, value)
    type(npb_run), intent(inout) :: run
    character(len=*), intent(in) :: value
    integer :: found

    found = index('SWABswab', trim(value))
    if (len_trim(value) /= 1 .or. found == 0) &
      call npb_refuse(run, 'unknown class '''//trim(value)//'''; the classes are S, W, A and B')
    run%class_index = mod(found - 1, 4) + 1
    run%class = 'SWAB' (run%class_index:run%class_index)
  end subroutine set_class

  subroutine set_iterations(run, value)
    type(npb_run), intent(inout) :: run
    character(len=*), intent(in) :: value
    integer :: status

    status = 1
    if (value /= '' .and. verify(trim(value), '0123456789') == 0) &
      read (value, *, iostat=status) run%iterations
    if (status /= 0) call npb_refuse(run, &
      'iterations must be a number from 0 up, not '''//trim(value)//'''')
  end subroutine set_iterations

  ! KIND[:RANK[:AMOUNT]]; an empty field keeps the default.
  subroutine set_plant(run, value, plants)
    type(npb_run), intent(inout) :: run
    character(len=*), intent(in) :: value, plants
    character(len=128) :: rest
    integer :: colon, status

    colon = index(value//':', ':')
    run%plant = value(:colon - 1)
    run%plant_amount = merge(25d0, 10d0, run%plant == 'delay')
    if (run%plant == '' .or. index(' '//plants//' ', ' '//trim(run%plant)//' ') == 0) &
      call npb_refuse(run, 'cannot plant '''//trim(value)//'''; --help lists the kinds')
    rest = value(min(colon + 1, len(value)):)
    colon = index(rest, ':')
    if (colon == 0) colon = len(rest)
    status = 0
    if (rest(:colon - 1) /= '') read (rest(:colon - 1), *, iostat=status) run%plant_rank
    if (status == 0 .and. rest(colon + 1:) /= '') &
      read (rest(colon + 1:), *, iostat=status) run%plant_amount
    if (status /= 0 .or. run%plant_rank < npb_any_rank .or. .not. run%plant_amount > 0) &
      call npb_refuse(run, 'cannot plant '''//trim(value)//''': not a rank or an amount')
    if (run%plant_rank >= run%ranks) &
      call npb_refuse(run, 'cannot plant '''//trim(value)//''': there is no such rank')
  end subroutine set_plant
end module npb

# SPDX-License-Identifier: MIT
# A shim for each MPI that is found: teff/grid/transport/mpi_shim.c, compiled by its own mpicc to a
# library of its own. The library loads it at run time, where a launcher has started the program
# (teff/grid/transport/mpi_library.cpp): nothing else of Teff is linked to an MPI.
set(teff_mpi_folder ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR})
set(teff_mpi_shims "")

# Open MPI's and MPICH's on this system, also those that are not its default; Intel's, Cray's and
# MVAPICH's are MPICH's by their binary interface.
if(TEFF_MPI)
  foreach(name mpicc mpicc.openmpi mpicc.mpich mpiicc)
    find_program(teff_${name} ${name})
    mark_as_advanced(teff_${name})
    if(NOT teff_${name})
      continue()
    endif()
    file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/which_mpi.c
      "#include <mpi.h>\n#ifdef OPEN_MPI\nit_is openmpi\n#elif defined MPICH_VERSION || "
      "defined I_MPI_VERSION\nit_is mpich\n#endif\n")
    execute_process(COMMAND ${teff_${name}} -E ${PROJECT_BINARY_DIR}/CMakeFiles/which_mpi.c
      OUTPUT_VARIABLE said ERROR_QUIET)
    string(REGEX MATCH "it_is ([a-z]+)" said "${said}")
    set(kind "${CMAKE_MATCH_1}")
    if(kind AND NOT DEFINED teff_mpicc_of_${kind})
      set(teff_mpicc_of_${kind} ${teff_${name}})
      set(shim ${teff_mpi_folder}/libteff_mpi_${kind}.so)
      add_custom_command(OUTPUT ${shim} VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory ${teff_mpi_folder}
        COMMAND ${teff_${name}} -std=c99 -O2 -fPIC -shared -I${PROJECT_SOURCE_DIR}
          ${PROJECT_SOURCE_DIR}/teff/grid/transport/mpi_shim.c -o ${shim}
        DEPENDS teff/grid/transport/mpi_shim.c teff/grid/transport/mpi_shim.h)
      list(APPEND teff_mpi_shims ${shim})
    endif()
  endforeach()
endif()
if(teff_mpi_shims)
  add_custom_target(teff_mpi DEPENDS ${teff_mpi_shims})
  add_dependencies(teff teff_mpi)
  install(FILES ${teff_mpi_shims} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # Programs, which have libteff.a in them, look there.
  target_link_options(teff INTERFACE
    "$<INSTALL_INTERFACE:-Wl,-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}>")
  set(pc_rpath "-Wl,-rpath,\${libdir}")
elseif(TEFF_MPI)
  message(STATUS "Teff: without MPI: no mpicc found (Debian: libopenmpi-dev or libmpich-dev)")
endif()
set_source_files_properties(teff/grid/transport/mpi_library.cpp PROPERTIES COMPILE_DEFINITIONS
  "TEFF_MPI_BUILT=\"${teff_mpi_folder}\";TEFF_LIBDIR=\"${CMAKE_INSTALL_LIBDIR}\"")

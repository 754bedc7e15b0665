# SPDX-License-Identifier: MIT
# A prefix with the headers, libteff.a, libteff_io.a, libteff_solve.a, the CMake
# package and files for pkg-config; with the command come its manual page and what shells complete
# it by.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/teff)

install(TARGETS teff EXPORT teff-targets FILE_SET HEADERS)
install(EXPORT teff-targets NAMESPACE teff:: DESTINATION ${package_dir})
foreach(component io solve)  # each a set of its own: only who asks for it needs libpng
  string(TOUPPER ${component} name)
  if(TARGET teff_${component})
    set(teff_${name} ON)
    install(TARGETS teff_${component} EXPORT teff-${component}-targets FILE_SET HEADERS)
    install(EXPORT teff-${component}-targets NAMESPACE teff:: DESTINATION ${package_dir})
  else()
    set(teff_${name} OFF)
  endif()
endforeach()

configure_package_config_file(cmake/teffConfig.cmake.in teffConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(teffConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/teffConfig.cmake ${PROJECT_BINARY_DIR}/teffConfigVersion.cmake
  cmake/teff_enable_cuda.cmake DESTINATION ${package_dir})

list(JOIN teff_cxx_flags " " pc_flags)
list(TRANSFORM CMAKE_DL_LIBS PREPEND "-l" OUTPUT_VARIABLE pc_dl_libs)  # of matmul, see blas.hpp
if(teff_EMULATOR)
  get_target_property(pc_boost_libs Boost::context LOCATION)
endif()
if(teff_CUDA)
  set(pc_cuda_libs "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -lpthread")
endif()
configure_file(cmake/teff.pc.in teff.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/teff.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(component io solve)
  if(TARGET teff_${component})
    configure_file(cmake/teff-${component}.pc.in teff-${component}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/teff-${component}.pc
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

# install_command(TARGET): the command, and what it writes about itself.
function(install_command target)
  set(share ${PROJECT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${share})
  set(command $<TARGET_FILE:${target}>)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND ${command} document man > ${share}/teff.1
    COMMAND ${command} completion bash > ${share}/teff.bash
    COMMAND ${command} completion zsh > ${share}/_teff
    COMMAND ${command} completion fish > ${share}/teff.fish)
  install(TARGETS ${target})
  install(FILES ${share}/teff.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${share}/teff.bash RENAME teff
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${share}/_teff DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${share}/teff.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()

# SPDX-License-Identifier: MIT
# A prefix with the headers, libteff.a, the CMake package and teff.pc.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/teff)

install(TARGETS teff EXPORT teff-targets FILE_SET HEADERS)
install(EXPORT teff-targets NAMESPACE teff:: DESTINATION ${package_dir})

configure_package_config_file(cmake/teffConfig.cmake.in teffConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(teffConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/teffConfig.cmake ${PROJECT_BINARY_DIR}/teffConfigVersion.cmake
  cmake/teff_enable_cuda.cmake DESTINATION ${package_dir})

list(JOIN teff_cxx_flags " " pc_flags)
list(TRANSFORM CMAKE_DL_LIBS PREPEND "-l" OUTPUT_VARIABLE pc_dl_libs)  # of matmul, see blas.hpp
get_target_property(pc_boost_libs Boost::context LOCATION)
if(teff_CUDA)
  set(pc_cuda_libs "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -lpthread")
endif()
configure_file(cmake/teff.pc.in teff.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/teff.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

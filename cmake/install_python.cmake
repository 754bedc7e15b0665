# SPDX-License-Identifier: MIT
# The Python package, as a folder `teff` (cmake --install BUILD --component python --prefix FOLDER) or
# in a wheel (pip install ./python): its own files, the library, the headers that formulas are
# compiled with, and the flags for that.
set(python_library teff/library)
install(DIRECTORY python/teff/ DESTINATION teff COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "device_std*.hpp")
install(TARGETS teff_c LIBRARY DESTINATION ${python_library} COMPONENT python EXCLUDE_FROM_ALL)
foreach(header IN LISTS headers capi_headers)
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE inside)
  cmake_path(GET inside PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${python_library}/include/${folder}
    COMPONENT python EXCLUDE_FROM_ALL)
endforeach()
install(FILES teff/capi/teff_c.h teff/capi/teff_c_equations.h
  DESTINATION ${python_library}/include/teff/capi COMPONENT python EXCLUDE_FROM_ALL)

# The name of what is compiled depends on the headers' contents, so that of an installed package is
# made as it is installed.
list(JOIN teff_cxx_flags "\\\", \\\"" python_flags)
if(teff_CUDA)
  list(JOIN teff_cuda_flags "\\\", \\\"" python_cuda)
  string(CONCAT python_cuda ", \\\"cuda\\\": {\\\"flags\\\": [\\\"${python_cuda}\\\"], "
    "\\\"compiler\\\": \\\"${CMAKE_CUDA_COMPILER}\\\"}")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/write_build_json.cmake CONTENT [[
# (Absolute: a pattern of a relative prefix would be looked for elsewhere, and find no header.)
get_filename_component(library "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/@python_library@" ABSOLUTE)
file(GLOB_RECURSE headers RELATIVE "${library}/include" "${library}/include/*")
list(SORT headers)
if(NOT headers)
  message(FATAL_ERROR "no headers in ${library}/include")
endif()
set(contents "")
foreach(header IN LISTS headers)
  file(SHA256 "${library}/include/${header}" content)
  string(APPEND contents "${header}${content}")
endforeach()
string(SHA256 contents "${contents}")
file(WRITE "${library}/build.json" "{\"headers\": \"${contents}\", \"flags\": [\"@python_flags@\"], \"compiler\": \"@CMAKE_CXX_COMPILER@\"@python_cuda@}\n")
]] @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/write_build_json.cmake COMPONENT python EXCLUDE_FROM_ALL)

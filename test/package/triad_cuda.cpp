// The same program, compiled as CUDA: it holds both backends.
#include "triad.cpp"

// SPDX-License-Identifier: MIT
#pragma once

#include <teff_device_std.hpp>

/// What Teff's headers name of the standard library on hosts alone (texts, memory), where NVRTC
/// compiles kernels of them: declared, never called.
// NOLINTBEGIN(cert-dcl58-cpp)

namespace std {

template <class>
class function;
template <class R, class... A>
class function<R(A...)> {
 public:
  function() = default;
  template <class F>
  function(F);
  explicit operator bool() const;
  R operator()(A...) const;
};
class ostream {};
class string {
 public:
  string() = default;
  string(const char*);
  string& operator+=(const string&);
  bool empty() const;
  const char* c_str() const;
};
string operator+(const string&, const string&);
string operator+(const char*, const string&);
string operator+(const string&, const char*);
class string_view {
 public:
  string_view(const char*);
};
template <class T>
string to_string(T);

struct nullopt_t {};
inline constexpr nullopt_t nullopt{};
template <class T>
class optional {
 public:
  optional() = default;
  optional(nullopt_t);
  optional(const T&);
  bool has_value() const;
  explicit operator bool() const;
  template <class U>
  T value_or(U&&) const;
  const T& operator*() const;
  const T* operator->() const;
};
template <class T>
class unique_ptr {
 public:
  T* operator->() const;
};
template <class T>
class shared_ptr {
 public:
  constexpr shared_ptr() = default;
  constexpr shared_ptr(nullptr_t) {}
  template <class U>
  constexpr shared_ptr(const shared_ptr<U>&) {}
  T* operator->() const;
  T& operator*() const;
  T* get() const;
  explicit operator bool() const;
};
template <class A, class B>
bool operator==(const shared_ptr<A>&, const shared_ptr<B>&);
template <class T, class... A>
shared_ptr<T> make_shared(A&&...);
template <class T, class... A>
unique_ptr<T> make_unique(A&&...);
template <class T>
class vector {
 public:
  vector() = default;
  vector(size_t);
  vector(size_t, const T&);
  template <class I>
  vector(I, I);
  T& operator[](size_t);
  const T& operator[](size_t) const;
  T* begin();
  T* end();
  const T* begin() const;
  const T* end() const;
  T* data();
  const T* data() const;
  T& front();
  T& back();
  const T& front() const;
  const T& back() const;
  size_t size() const;
  bool empty() const;
  void push_back(const T&);
  void resize(size_t);
  void clear();
  template <class... A>
  T& emplace_back(A&&...);
};
class exception {};
class runtime_error : public exception {
 public:
  runtime_error(const string&);
};
class logic_error : public exception {};
template <class T>
class atomic {
 public:
  constexpr atomic(T) {}
  T load() const;
};

}  // namespace std
// NOLINTEND(cert-dcl58-cpp)

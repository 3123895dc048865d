// Parsed once for all tests, as src/precompiled/precompiled.hpp is for the sources.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "precompiled/precompiled.hpp"

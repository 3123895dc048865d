#pragma once

// Since it was last set to false: a number that the page's functions do not have was asked for.
extern bool out_of_reach;

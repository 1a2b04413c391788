/* SPDX-License-Identifier: MIT */
#include "policy/own_tools.h"

const char own_tools[] =
    "[{\"name\":\"host\",\"description\":\"Connect to one host and port during "
    "this run.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"host\":"
    "{\"type\":\"string\"},\"why\":{\"type\":\"string\"}},\"required\":["
    "\"host\"]}},"
    "{\"name\":\"directory\",\"description\":\"Use one directory of this "
    "machine during this run.\",\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"path\":{\"type\":\"string\"},\"write\":{\"type\":"
    "\"boolean\",\"default\":false},\"why\":{\"type\":\"string\"}},"
    "\"required\":[\"path\"]}},"
    "{\"name\":\"tool\",\"description\":\"Call one more tool during this run.\""
    ",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"tool\":{\"type\":"
    "\"string\"}},\"required\":[\"tool\"]}},"
    "{\"name\":\"tier\",\"description\":\"Run the program in another "
    "sandbox.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"tier\":{"
    "\"type\":\"string\"},\"why\":{\"type\":\"string\"}},\"required\":["
    "\"tier\"]}},"
    "{\"name\":\"program\",\"description\":\"Run a program that the model was "
    "not sure of.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"code\":{\"type\":\"string\"},\"why\":{\"type\":\"string\"}},"
    "\"required\":[\"code\"]}}]";

/* SPDX-License-Identifier: MIT */
#include "contender.h"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

using namespace rapidjson;

void *contender_parse(const char *text, size_t n) {
    Document *doc = new Document;
    doc->Parse<kParseFullPrecisionFlag | kParseValidateEncodingFlag>(text, n);
    return doc;
}

size_t contender_write(void *doc) {
    StringBuffer text;
    Writer<StringBuffer> writer(text);
    static_cast<Document *>(doc)->Accept(writer);
    return text.GetSize();
}

void contender_free(void *doc) {
    delete static_cast<Document *>(doc);
}

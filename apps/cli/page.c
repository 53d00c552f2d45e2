// A page of help: parts, one for each thing that a name stands for, as lines or as members of one JSON
// document: {"help": [{"kind": "layer", "name": "flow", "text": ...}]}.
#include "help.h"

static struct {
    SiltText json;
    int count;
    bool is_open;
} page;

static void end_part(void)
{
    char *lines = page.is_open ? answer_take_lines() : NULL;
    if (!page.is_open)
        return;
    add_member(&page.json, "text", lines ? lines : "");
    silt_text_add(&page.json, "}");
    silt_free(lines);
    page.is_open = false;
}

void begin_part(const char *kind, const char *name)
{
    end_part();
    if (!answer_is_json()) {
        say("%s", page.count++ ? "\n" : "");
        return;
    }
    silt_text_add(&page.json, page.count++ ? ",\n {" : "\n {");
    add_member(&page.json, "kind", kind);
    add_member(&page.json, "name", name);
    page.is_open = true;
}

void add_fact(const char *key, const char *value)
{
    if (page.is_open && value && value[0])
        add_member(&page.json, key, value);
}

void add_facts(const char *key, char *json)
{
    if (page.is_open && json)
        add_json(&page.json, key, json);
    silt_free(json);
}

void tell_params(const char *key, const SiltParamTable *params)
{
    if (page.is_open && params->count > 0)
        add_facts(key, silt_params_describe_json(params));
    char *text = silt_params_help(params);
    say("%s", text ? text : "");
    silt_free(text);
}

int end_page(int status)
{
    end_part();
    if (page.count == 0 || !answer_is_json())
        return status;
    SiltText json = {0};
    silt_text_add(&json, "{\"help\": [");
    silt_text_add(&json, page.json.data ? page.json.data : "");
    silt_text_add(&json, "]}");
    json.failed = json.failed || page.json.failed;
    silt_text_free(&page.json);
    return answer_with(&json) == SILT_OK ? status : report_failure(SILT_NO_MEMORY);
}

// What a command answers: lines for people or, with --json, one document on stdout, whether it was done or
// refused. Every command says its lines by say(), gives its document to answer_with(), and refuses by
// complain(); answer_end() then writes the one document there is.
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static struct {
    bool in_json;
    SiltText lines;    // what was said to people: the answer where there is no document
    SiltText errors;   // sentences
    SiltText go_on;    // the command that goes on with what was refused or stopped
    SiltText document; // an object or an array
} answer;

void answer_in_json(bool is_json)
{
    answer.in_json = is_json;
}

bool answer_is_json(void)
{
    return answer.in_json;
}

void say(const char *format, ...)
{
    SiltText text = {0};
    va_list values;
    va_start(values, format);
    silt_text_addv(answer.in_json ? &answer.lines : &text, format, values);
    va_end(values);
    if (text.data)
        silt_text_disarm(text.data, true); // names come from files and recipes, and go to a terminal
    if (!answer.in_json)
        fputs(text.failed || !text.data ? "(not enough memory to say it)\n" : text.data, stdout);
    silt_text_free(&text);
}

char *answer_take_lines(void)
{
    return answer.lines.length ? silt_text_take(&answer.lines) : NULL;
}

void complain(const char *format, ...)
{
    SiltText text = {0};
    va_list values;
    stand_back();
    va_start(values, format);
    silt_text_addv(&text, format, values);
    va_end(values);
    if (text.data && !text.failed)
        silt_text_disarm(text.data, false);
    const char *sentence = text.failed || !text.data ? "not enough memory" : text.data;
    fprintf(stderr, "silt: %s\n", sentence);
    silt_text_add(&answer.errors, answer.errors.length ? "; " : "");
    silt_text_add(&answer.errors, sentence);
    silt_text_free(&text);
}

void tell_go_on(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    silt_text_free(&answer.go_on);
    silt_text_addv(&answer.go_on, format, values);
    va_end(values);
    if (!answer.go_on.failed)
        fprintf(stderr, "silt: to go on: %s\n", answer.go_on.data);
}

SiltStatus answer_with(SiltText *json)
{
    bool failed = json->failed || !json->data;
    if (!failed && answer.in_json) {
        silt_text_free(&answer.document);
        answer.document = *json;
        *json = (SiltText){0};
    } else if (!failed) {
        fputs(json->data, stdout);
    }
    silt_text_free(json);
    return failed ? silt_fail(SILT_NO_MEMORY, "not enough memory for an answer") : SILT_OK;
}

SiltStatus answer_with_text(const char *json)
{
    SiltText text = {.failed = !json};
    silt_text_add(&text, json ? json : "");
    return answer_with(&text);
}

// ---- members of objects ----

static void add_key(SiltText *text, const char *key)
{
    size_t length = text->length;
    bool is_first = length == 0 || text->data[length - 1] == '{';
    silt_text_addf(text, "%s\"%s\": ", length == 0 ? "{" : is_first ? "" : ", ", key);
}

void add_member(SiltText *text, const char *key, const char *string)
{
    add_key(text, key);
    if (string)
        silt_text_add_json(text, string);
    else
        silt_text_add(text, "null");
}

void add_number(SiltText *text, const char *key, double value)
{
    add_key(text, key);
    silt_text_add_json_number(text, value);
}

void add_numbers(SiltText *text, const char *key, const double *values, int count)
{
    add_key(text, key);
    for (int k = 0; k < count; k++) {
        silt_text_add(text, k ? ", " : "[");
        silt_text_add_json_number(text, values[k]);
    }
    silt_text_add(text, count ? "]" : "[]");
}

void add_flag(SiltText *text, const char *key, bool value)
{
    add_key(text, key);
    silt_text_add(text, value ? "true" : "false");
}

void add_json(SiltText *text, const char *key, const char *json)
{
    add_key(text, key);
    silt_text_add(text, json ? json : "null");
    text->failed = text->failed || !json;
}

// ---- the end ----

// The refusal, with what was done before it: the members of an object, an array as "answer".
static void add_refused(SiltText *text)
{
    const char *done = answer.document.data ? answer.document.data : "";
    add_member(text, "error", answer.errors.data);
    if (answer.go_on.length > 0)
        add_member(text, "go_on", answer.go_on.data);
    if (done[0] == '[') {
        add_json(text, "answer", done);
    } else if (done[0] == '{' && done[1 + strspn(done + 1, " \n")] != '}') {
        silt_text_addf(text, ",\n%s", done + 1);
        return; // it brings its own end
    }
    silt_text_add(text, "}\n");
}

static void write_document(void)
{
    SiltText text = {0};
    if (answer.errors.length > 0) {
        add_refused(&text);
    } else if (answer.document.data) {
        silt_text_add(&text, answer.document.data);
    } else {
        silt_text_add(&text, "{");
        if (answer.lines.data)
            add_member(&text, "text", answer.lines.data);
        silt_text_add(&text, "}");
    }
    bool failed = text.failed || answer.errors.failed || answer.lines.failed;
    const char *json = failed ? "{\"error\": \"not enough memory for an answer\"}" : text.data;
    size_t length = strlen(json);
    printf("%s%s", json, length && json[length - 1] == '\n' ? "" : "\n");
    silt_text_free(&text);
}

static bool write_all(const char *text, size_t length)
{
    return length == 0 || write(STDOUT_FILENO, text, length) == (ssize_t)length;
}

void answer_stopped(const char *why)
{
    static const char begin[] = "{\"error\": \"", end[] = "\"}\n", plain[] = "stopped";
    bool has_reason = why[0] != '\0';
    if (answer.in_json && write_all(begin, sizeof begin - 1) &&
        write_all(has_reason ? why : plain, has_reason ? strlen(why) : sizeof plain - 1))
        write_all(end, sizeof end - 1);
}

int answer_end(int status)
{
    if (status == 0 && answer.errors.length > 0) // a part of it was refused
        status = EXIT_FAILED;
    end_is_mine(); // one document, whole
    if (answer.in_json)
        write_document();
    silt_text_free(&answer.lines);
    silt_text_free(&answer.errors);
    silt_text_free(&answer.go_on);
    silt_text_free(&answer.document);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&out, 1, 0) == 1 && out.revents & POLLERR) // nobody reads on, like behind `| head`: no mistake
        return status ? status : EXIT_UNHEARD;
    fprintf(stderr, "silt: cannot write to standard output\n");
    return status ? status : EXIT_FAILED;
}

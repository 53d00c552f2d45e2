#include "render/encoder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/status.h"
#include "core/text.h"
#include "io/temporary.h"

extern char **environ;

enum { MOST_WORDS = 48 };

// How a film of each ending is made; sides of films with halved colours must be even.
typedef struct Recording {
    const char *ending;
    bool is_clear; // for films without a background
    int multiple;  // sides are cut to multiples of it
    const char *words[26];
} Recording;

#define EVEN "crop=trunc(iw/2)*2:trunc(ih/2)*2"
// Says which matrix makes colours of it again; players guess otherwise, and by the size.
#define COLOURS "scale=out_color_matrix=bt709:out_range=tv"
#define TAGS    "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"
#define VP9     "-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-cpu-used", "5", "-row-mt", "1"
static const Recording recordings[] = {
    {".mp4",
     false,
     2,
     {"-vf", EVEN "," COLOURS, "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-pix_fmt", "yuv420p",
      TAGS, "-movflags", "+faststart", "-f", "mp4"}},
    {".webm", true, 2, {"-vf", EVEN, VP9, "-auto-alt-ref", "0", "-pix_fmt", "yuva420p", "-f", "webm"}},
    {".webm", false, 2, {"-vf", EVEN "," COLOURS, VP9, "-pix_fmt", "yuv420p", TAGS, "-f", "webm"}},
    {".gif",
     false,
     1,
     {"-filter_complex",
      "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4", "-f",
      "gif"}},
    {".apng", false, 1, {"-plays", "0", "-f", "apng"}},
    {".webp", false, 1, {"-c:v", "libwebp_anim", "-q:v", "80", "-loop", "0", "-f", "webp"}},
};

static const Recording *find_recording(const char *path, bool is_clear)
{
    for (size_t k = 0; k < sizeof recordings / sizeof recordings[0]; k++)
        if (silt_ends_with(path, recordings[k].ending) && (is_clear || !recordings[k].is_clear))
            return &recordings[k];
    return NULL;
}

bool silt_encoder_knows(const char *path)
{
    if (find_recording(path, false))
        return true;
    silt_fail(SILT_BAD_ARGUMENT, "%s: a film ends in .mp4, .webm, .gif, .apng or .webp", path);
    return false;
}

static SiltStatus no_ffmpeg(const char *path)
{
    return silt_fail(
        SILT_MISSING_FEATURE,
        "%s: there is no ffmpeg to make a film with; install the package ffmpeg, or take numbered "
        "pictures: -o frames/%%04d.png",
        path);
}

// Looks where the shell would look.
static bool has_ffmpeg(void)
{
    const char *folders = getenv("PATH");
    char name[SILT_PATH_SIZE];
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        snprintf(name, sizeof name, "%.*s/ffmpeg", (int)length, folders);
        if (access(name, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

SiltStatus silt_encoder_check(const char *path)
{
    if (!has_ffmpeg())
        return no_ffmpeg(path);
    SiltOutput output;
    SiltStatus status = silt_output_try(path, &output);
    if (status == SILT_OK)
        silt_output_abandon(&output);
    return status;
}

// A group of its own: Ctrl-C on the terminal is for us, and we end the film. It hears what we hear outside
// the gate.
static int set_attributes(posix_spawnattr_t *attributes, const sigset_t *heard)
{
    int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    return error ? error : posix_spawnattr_setsigmask(attributes, heard);
}

// Started and known to the handler of signals in one: a process that nobody knows might make its file when
// all others are removed.
static int spawn(const char *const *words, const posix_spawn_file_actions_t *actions,
                 posix_spawnattr_t *attributes, SiltEncoder *encoder)
{
    SiltGate gate;
    if (!silt_gate_enter(&gate))
        return errno;
    int error = set_attributes(attributes, &gate.before);
    if (!error)
        error = posix_spawnp(&encoder->process, "ffmpeg", actions, attributes, (char *const *)words, environ);
    if (!error)
        encoder->helper = silt_helper_claim(encoder->process);
    silt_gate_leave(&gate);
    return error;
}

// ffmpeg reads frames from `input` and complains to the encoder's file for that.
static int start(const Recording *recording, const char *to, const char *size, const char *fps, int input,
                 SiltEncoder *encoder)
{
    const char *words[MOST_WORDS] = {"ffmpeg",   "-hide_banner", "-loglevel", "error", "-nostats", "-y", "-f",
                                     "rawvideo", "-pix_fmt",     "rgba",      "-s",    size,       "-r", fps,
                                     "-i",       "pipe:0",       "-bitexact"};
    int count = 0;
    while (words[count])
        count++;
    for (int k = 0; recording->words[k]; k++)
        words[count++] = recording->words[k];
    words[count] = to;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(encoder->complaint), STDERR_FILENO);
    if (!error)
        error =
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1 /* for writing */, 0);
    if (!error)
        error = spawn(words, &actions, &attributes, encoder);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static SiltStatus check_sides(const Recording *recording, const char *path, int width, int height)
{
    int cut = recording->multiple, wide = width - width % cut, high = height - height % cut;
    if (wide == 0 || high == 0)
        return silt_fail(SILT_BAD_ARGUMENT,
                         "%s: a film of this kind has sides of %d pixels or more, not %dx%d", path, cut,
                         width, height);
    if (wide != width || high != height)
        silt_warn("%s: films of this kind have even sides: %dx%d in place of %dx%d", path, wide, high, width,
                  height);
    return SILT_OK;
}

SiltStatus silt_encoder_begin(const char *path, const int sides[2], bool is_clear, double fps,
                              SiltEncoder *out)
{
    *out = (SiltEncoder){.frames = -1, .helper = -1};
    const Recording *recording = find_recording(path, is_clear);
    int width = sides[0], height = sides[1];
    SiltStatus status = check_sides(recording, path, width, height);
    if (status != SILT_OK)
        return status;
    int pair[2], error;
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    silt_format_number(fps, rate);
    status = silt_output_begin(path, &out->output);
    if (status != SILT_OK)
        return status;
    out->complaint = tmpfile();
    // a socket in place of a pipe: writing to an ffmpeg that has died then is an error, and no signal
    if (!out->complaint || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        status = silt_fail(SILT_IO_ERROR, "%s: cannot talk to ffmpeg: %s", path, strerror(errno));
    } else {
        // a file, whatever it looks like: ffmpeg would take "-y" for an option and "tcp://" for a connection
        char to[sizeof out->output.temporary + 8];
        snprintf(to, sizeof to, "file:%s", out->output.temporary[0] ? out->output.temporary : path);
        error = start(recording, to, size, rate, pair[1], out);
        close(pair[1]);
        out->frames = pair[0];
        if (error == ENOENT)
            status = no_ffmpeg(path);
        else if (error)
            status = silt_fail(SILT_IO_ERROR, "%s: cannot start ffmpeg: %s", path, strerror(error));
    }
    if (status == SILT_OK)
        return SILT_OK;
    out->process = 0;
    return silt_encoder_end(out, status);
}

SiltStatus silt_encoder_add(SiltEncoder *encoder, const SiltImage *frame)
{
    const uint8_t *at = frame->rgba;
    size_t left = (size_t)frame->width * (size_t)frame->height * 4;
    while (left > 0) {
        ssize_t sent = send(encoder->frames, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return silt_fail(SILT_IO_ERROR, "%s: ffmpeg has stopped", encoder->output.path);
        at += sent;
        left -= (size_t)sent;
    }
    return SILT_OK;
}

// What ffmpeg said last, as one line.
static void read_complaint(const SiltEncoder *encoder, char *text, size_t size)
{
    rewind(encoder->complaint);
    size_t length = fread(text, 1, size - 1, encoder->complaint);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        length--;
    text[length] = '\0';
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ';';
}

// Waits for ffmpeg; true when it says by its status that all went well.
static bool finish(SiltEncoder *encoder, int *result)
{
    pid_t done;
    siginfo_t info;
    while (waitid(P_PID, (id_t)encoder->process, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        continue;
    silt_helper_let_go(encoder->helper);
    encoder->helper = -1;
    do
        done = waitpid(encoder->process, result, 0);
    while (done < 0 && errno == EINTR);
    return done == encoder->process && WIFEXITED(*result) && WEXITSTATUS(*result) == 0;
}

// There are no more, and ffmpeg, which never says a word there, lets go of the socket when it is done: a wait
// in which signals are heard at once everywhere. (Thread sanitizers put them off while waitpid waits.)
static void end_frames(int frames)
{
    struct pollfd gone = {.fd = frames, .events = POLLIN};
    shutdown(frames, SHUT_WR);
    while (poll(&gone, 1, -1) < 0 && errno == EINTR)
        continue;
}

SiltStatus silt_encoder_end(SiltEncoder *encoder, SiltStatus status)
{
    if (encoder->process > 0) {
        int result = 0;
        if (status != SILT_OK && status != SILT_IO_ERROR)
            kill(encoder->process, SIGTERM); // nobody wants the rest
        end_frames(encoder->frames);
        bool ended_well = finish(encoder, &result);
        char said[1024];
        read_complaint(encoder, said, sizeof said);
        // it also ends well when the last of the film found no room, and only says so
        if ((!ended_well || said[0]) && (status == SILT_OK || status == SILT_IO_ERROR))
            status = silt_fail(SILT_IO_ERROR, "%s: ffmpeg %s%s%s", encoder->output.path,
                               WIFSIGNALED(result) ? "was killed" : "failed", said[0] ? ": " : "", said);
    }
    if (encoder->frames >= 0)
        close(encoder->frames);
    if (encoder->complaint)
        fclose(encoder->complaint);
    encoder->complaint = NULL;
    encoder->process = 0;
    encoder->frames = -1;
    return silt_output_end(&encoder->output, status);
}

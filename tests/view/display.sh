# A screen of its own for tests of the window: `. display.sh` starts Xvfb and sets what the window needs; sourcing
# scripts end with status 77 (skipped) where that cannot be had. $folder is theirs to write in.
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || { echo "skipped: no $tool (packages xvfb, xdotool)"; exit 77; }
done
folder=$(mktemp -d)
window_process='' screen_process=''
clean_up() {
    [ -z "$window_process" ] || kill "$window_process" 2>/dev/null || true
    [ -z "$screen_process" ] || kill "$screen_process" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT
mkfifo "$folder/number"
Xvfb -displayfd 3 -noreset -screen 0 "${SCREEN:-1280x800x24}" -nolisten tcp 3>"$folder/number" >/dev/null 2>&1 &
screen_process=$!
read -r number <"$folder/number"
export DISPLAY=":$number" XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state" XDG_DATA_HOME="$folder/data"
export LIBGL_ALWAYS_SOFTWARE=1 GSK_RENDERER="${GSK_RENDERER:-cairo}" GTK_A11Y=none GDK_BACKEND=x11 LC_ALL=C.UTF-8
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0:use_sigaltstack=0}"

# open_window WINDOW [ARGUMENTS]: starts it, led by what `tell` writes; answers come in $folder/answers
open_window() {
    rm -f "$folder/orders" && mkfifo "$folder/orders"
    : >"$folder/answers"
    "$@" --script - <"$folder/orders" >"$folder/answers" 2>"$folder/complaints" &
    window_process=$!
    exec 4>"$folder/orders"
}
fail() {
    echo "FAILED: $*"
    cat "$folder/complaints" "$folder/answers" 2>/dev/null
    exit 1
}
# tell LINE: gives an order, waits until it is done and prints what it answered
told=0
tell() {
    lines_before=$(wc -l <"$folder/answers")
    echo "$*" >&4
    told=0
    while ! tail -n +$((lines_before + 1)) "$folder/answers" | grep -q '^done '; do
        kill -0 "$window_process" 2>/dev/null || fail "the window died at: $*"
        sleep 0.05
        told=$((told + 1))
        [ "$told" -lt 3600 ] || fail "no answer to: $*"
    done
    tail -n +$((lines_before + 1)) "$folder/answers" | grep -v '^done ' || true
    [ ! -s "$folder/complaints" ] || ! grep -q '^silt-view: script' "$folder/complaints" || fail "$*"
}
# await PATTERN ORDER: gives the order again and again until the answer fits
await() {
    wanted=$1
    shift
    for _ in $(seq 120); do
        answer=$(tell "$@")
        echo "$answer" | grep -q "$wanted" && return 0
        sleep 0.25
    done
    fail "$* never answered '$wanted' but: $answer"
}
close_window() {
    echo quit >&4
    exec 4>&-
    status=0
    wait "$window_process" || status=$?
    window_process=''
    [ "$status" -eq 0 ] || fail "the window ended with status $status"
}
# the window's X id, once it is there
window_id() { xdotool search --sync --onlyvisible --name 'Silt' | tail -1; }

# Sourced by ./webgeist and ./test. Makes the Python environment on first use, and again only when
# pyproject.toml, constraints.txt, the wanted extras or the folder's place have changed.
#
#   root=/path/of/the/repository; set_up EXTRAS    ("" or "dev"); afterwards $venv is ready
#
# The environment is $root/.venv, or where that cannot be written, a folder in the user's cache. Inside
# it, `webgeist.stamp` (root, extras, the text of both files) says that it is complete, and
# `webgeist.making` that a set-up has begun: found without its end, the environment is made anew. The
# fast path starts no process. Runs in bash 3.2 (macOS) too.

venv= step= lock_folder= first_use=
longest_wait=900 # seconds for another set-up that is under way

say() { printf 'webgeist: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

set_up() {
    local extras=$1
    for venv in "$root/.venv" "$(cache_venv)"; do
        is_ready "$extras" && return
        may_write_venv && break
    done
    may_write_venv || fail "cannot write to $root: set XDG_CACHE_HOME to a folder of yours"
    trap 'stop 130' INT
    trap 'stop 143' TERM HUP
    trap 'rm -rf -- "$lock_folder"' EXIT
    mkdir -p -- "${venv%/*}" || fail "cannot make ${venv%/*}: choose a folder with XDG_CACHE_HOME"
    take_lock
    is_ready "$extras" || make_ready "$extras"
    release_lock
    trap - INT TERM HUP EXIT
}

# --- what is there -------------------------------------------------------------------------------

# The fallback folder; nothing when no home is known. Only a path that is never needed costs nothing.
cache_venv() {
    [[ -w $root && (! -e $root/.venv || -w $root/.venv) ]] && return
    local cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}} sum
    sum=$(printf '%s' "$root" | cksum)
    [[ -z $cache ]] || printf '%s' "$cache/webgeist/${sum%% *}"
}

may_write_venv() {
    [[ -n $venv ]] || return
    if [[ -e $venv ]]; then [[ -w $venv ]]; else [[ $venv != "$root/.venv" || -w $root ]]; fi
}

# Whether the environment is complete and has at least these extras. Sets `had` to those it has.
is_ready() {
    local stamp=
    had=
    [[ -n $venv && -x $venv/bin/python && -x $venv/bin/webgeist && -f $venv/webgeist.stamp ]] || return
    IFS= read -r -d '' stamp <"$venv/webgeist.stamp"
    had=${stamp#*$'\n'}
    had=${had%%$'\n'*}
    wanted_stamp "$had"
    [[ $stamp == "$wanted" && (-z $1 || $had == "$1") ]]
}

wanted_stamp() {
    local project= pins=
    IFS= read -r -d '' project <"$root/pyproject.toml"
    IFS= read -r -d '' pins <"$root/constraints.txt"
    wanted=$root$'\n'$1$'\n'$project$pins
}

# --- making it -----------------------------------------------------------------------------------

make_ready() {
    local extras=${1:-$had}
    [[ -f $venv/webgeist.stamp ]] || first_use=yes
    if [[ -f $venv/webgeist.making || ! -x $venv/bin/python ]]; then make_venv; fi
    : >"$venv/webgeist.making"
    install_package "$extras"
    rm -f -- "$venv/webgeist.making"
    [[ -z $first_use ]] || find_chromium
    wanted_stamp "$extras"
    printf '%s' "$wanted" >"$venv/webgeist.stamp.new"
    mv -f -- "$venv/webgeist.stamp.new" "$venv/webgeist.stamp"
    say "ready"
}

make_venv() {
    [[ ! -f $venv/webgeist.making ]] || say "an earlier set-up was interrupted: starting anew"
    local python
    python=$(choose_python) || exit 1
    say "making a Python environment in $venv (some seconds)"
    rm -rf -- "$venv"
    mkdir -- "$venv" || fail "cannot make $venv"
    : >"$venv/webgeist.making"
    run_step "$python" -m venv "$venv" || fail_with_log "python -m venv failed"
}

install_package() {
    say "installing webgeist${1:+ with its $1 tools} (one to five minutes, about 300 MB)"
    rm -f -- "$venv/webgeist.stamp"
    # by a relative path: pip would take brackets in an absolute one for extras
    PIP_USER=0 run_step bash -c 'cd -- "$1" && exec "${@:2}"' bash "$root" \
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint constraints.txt --editable ".${1:+[$1]}" ||
        fail_with_log "pip could not install webgeist: is the package index within reach?"
}

# Never a reason to stop: help, settings and everything on stored data work without a browser.
find_chromium() {
    say "looking for Chromium"
    "$venv/bin/python" -m webgeist.capture.install </dev/null >&2 &
    step=$!
    wait "$step" || say "commands that need a browser will not work until then"
}

# Prints the interpreter's own path, so that the environment breaks visibly when that version goes.
choose_python() {
    local name found= candidates='python3.13 python3.12 python3.11 python3'
    local facts='import os, sys; print(os.path.realpath(sys.executable)); sys.exit(sys.version_info < (3, 11))'
    if [[ -n ${WEBGEIST_PYTHON:-} ]]; then
        usable=$("$WEBGEIST_PYTHON" -c "$facts" 2>/dev/null) ||
            fail "WEBGEIST_PYTHON is $WEBGEIST_PYTHON, which is no Python 3.11 or newer"
        found=$usable
        has_venv "$found" && printf '%s' "$found" && return
    else
        for name in $candidates; do
            usable=$("$name" -c "$facts" 2>/dev/null) || continue
            found=$usable
            has_venv "$found" && printf '%s' "$found" && return
        done
    fi
    [[ -z $found ]] && fail "needs Python 3.11 or newer: install it ($(python_hint)), or set WEBGEIST_PYTHON to one"
    fail "$found cannot make virtual environments: install its venv module (on Debian and Ubuntu: sudo apt-get install python3-venv)"
}

has_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

python_hint() {
    if command -v apt-get >/dev/null; then
        printf 'sudo apt-get install python3 python3-venv'
    elif command -v dnf >/dev/null; then
        printf 'sudo dnf install python3'
    elif command -v pacman >/dev/null; then
        printf 'sudo pacman -S python'
    elif command -v brew >/dev/null; then
        printf 'brew install python'
    else
        printf 'https://www.python.org/downloads/'
    fi
}

# --- running and stopping ------------------------------------------------------------------------

# In the background, so that a signal to us is heard at once and ends the step too.
run_step() {
    "$@" >"$venv/webgeist.log" 2>&1 </dev/null &
    step=$!
    [[ -z $lock_folder ]] || printf '%s' "$step" >"$lock_folder/step"
    wait "$step"
}

fail_with_log() {
    tail -n 15 -- "$venv/webgeist.log" >&2
    fail "$1 (all of it: $venv/webgeist.log)"
}

stop() {
    trap - INT TERM HUP
    [[ -z $step ]] || kill "$step" 2>/dev/null
    wait
    say "set-up interrupted: start again to finish it"
    exit "$1"
}

# --- one set-up at a time ------------------------------------------------------------------------

# The lock is held by our children too: one that outlives us keeps the next set-up waiting.
take_lock() {
    local status=0
    command -v flock >/dev/null && exec 9<"$root/scripts/setup.sh" || { take_lock_folder; return; }
    flock -n 9 || status=$?
    [[ $status == 0 ]] && return
    if [[ $status == 1 ]]; then
        say "another set-up is under way: waiting for it"
        flock -w "$longest_wait" 9 && return
        fail "the other set-up did not end within $longest_wait seconds: end it, then start again"
    fi
    exec 9<&- # a file system without such locks
    take_lock_folder
}

take_lock_folder() {
    local folder=$venv.lock waited=0
    until mkdir -- "$folder" 2>/dev/null; do
        [[ -d $folder ]] || fail "cannot make $folder"
        [[ $waited != 0 ]] || say "another set-up is under way: waiting for it"
        sleep 1
        waited=$((waited + 1))
        if ! lock_is_held "$folder" && mv -- "$folder" "$folder.$$" 2>/dev/null; then
            rm -rf -- "$folder.$$" # its owner is gone
        fi
        [[ $waited -lt $longest_wait ]] || fail "the other set-up does not end: remove $folder, then start again"
    done
    lock_folder=$folder
    printf '%s' "$$" >"$folder/owner"
}

# By its owner, or by a step of an owner that was killed.
lock_is_held() {
    local file pid
    for file in "$1/owner" "$1/step"; do
        pid=
        [[ -f $file ]] && IFS= read -r -d '' pid <"$file"
        [[ -n $pid ]] && kill -0 "$pid" 2>/dev/null && return
    done
    return 1
}

release_lock() {
    [[ -z $lock_folder ]] || rm -rf -- "$lock_folder"
    lock_folder=
    exec 9<&-
}

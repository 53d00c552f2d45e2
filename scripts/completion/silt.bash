# bash completion for silt, written by 'silt help --bash'
_silt() {
    local line="${COMP_LINE:0:COMP_POINT}" word
    local -a words
    read -ra words <<<"$line"
    [[ "$line" == *" " ]] && words+=("")
    word="${words[-1]}"
    mapfile -t COMPREPLY < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
    # to bash a word begins behind its =
    if [[ "$word" == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${word%%=*}="}"); fi
    if [[ "${COMPREPLY[*]}" == *= ]]; then compopt -o nospace; fi
    if [ ${#COMPREPLY[@]} -eq 0 ]; then compopt -o default; fi
}
complete -F _silt silt

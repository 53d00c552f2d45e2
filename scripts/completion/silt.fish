# fish completion for silt, written by 'silt help --fish'
function __silt_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] --complete $words[2..-1] 2>/dev/null
end
complete -c silt -a '(__silt_complete)'

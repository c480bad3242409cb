"""The completion scripts: each asks `remember complete` for candidates and shows them as its shell does.

Values may be names of files that somebody else chose, so what is put on the command line is quoted: bash by `%q`, zsh and fish
by themselves.
"""

from __future__ import annotations

__all__ = ["SCRIPTS"]

_BASH = r"""# bash completion for remember; put this into ~/.bashrc:  source <(remember completion bash)
_remember_complete() {
    local program=$1 typed=$2 line value help quoted
    local -a lines=() values=() helps=()
    COMPREPLY=()
    type -P -- "$program" >/dev/null || program=remember
    mapfile -t lines < <("$program" complete --breaks="$COMP_WORDBREAKS" --line="${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    for line in "${lines[@]}"; do
        case $line in
            :file | :folder)
                compopt -o filenames
                if [[ $line == :file ]]; then
                    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$typed")
                else
                    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$typed")
                fi
                ;;
            *)
                values+=("${line%%$'\t'*}")
                helps+=("${line#*$'\t'}")
                ;;
        esac
    done
    local at width=$((${COLUMNS:-80} - 1))
    for at in "${!values[@]}"; do
        printf -v quoted %q "${values[at]}"
        # While bash lists (and inserts nothing more than what all have in common), each line may tell what the value is.
        if [[ ${#values[@]} -gt 1 && ${COMP_TYPE:-9} =~ ^(33|63|64)$ && -n ${helps[at]} ]]; then
            value="$quoted  (${helps[at]})"
            COMPREPLY+=("${value:0:width}")
        else
            COMPREPLY+=("$quoted")
        fi
    done
}
complete -o nosort -F _remember_complete remember
"""

_ZSH = r"""#compdef remember
# zsh completion for remember; put this into ~/.zshrc after compinit:  source <(remember completion zsh)
_remember_complete() {
    local program=${(Q)words[1]} line
    local -a lines values shown
    whence -p -- $program >/dev/null || program=remember
    lines=("${(@f)$($program complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in $lines; do
        case $line in
            (:file | :folder)
                [[ $PREFIX == --*=* ]] && compset -P '*='
                if [[ $line == :file ]]; then _files; else _files -/; fi
                ;;
            (*)
                values+=("${line%%$'\t'*}")
                shown+=("${line%%$'\t'*}${${line#*$'\t'}:+  -- ${line#*$'\t'}}")
                ;;
        esac
    done
    (( $#values )) && compadd -l -V remember -d shown -- $values
}
if [[ $funcstack[1] == _remember ]]; then _remember_complete "$@"; else compdef _remember_complete remember; fi
"""

_FISH = r"""# fish completion for remember; put this into ~/.config/fish/config.fish:  remember completion fish | source
function __remember_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    command -q -- $program; or set program remember
    for line in (command $program complete -- $words[2..-1] $typed 2>/dev/null)
        switch $line
            case :file
                __fish_complete_path (string replace -r -- '^--[^=]*=' '' $typed)
            case :folder
                __fish_complete_directories (string replace -r -- '^--[^=]*=' '' $typed)
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c remember -f -k -a '(__remember_complete)'
"""

SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
"""The script of each shell."""

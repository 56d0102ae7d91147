// Writes completion scripts from the commands: the subcommands and flags of each. For values, such as the ID of a run,
// the scripts call servicectl, which queries the service.
import type { Command } from 'commander';
import { defaultOf } from '../define-command.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface Word {
  /** The command with the words before it: `keys save`; empty for the program itself. */
  readonly path: string;
  readonly summary: string;
  readonly commands: readonly string[];
  readonly flags: readonly string[];
}

/** Internal commands are not completed. */
const isShown = (command: Command): boolean => !command.name().startsWith('__');

export function describeWords(command: Command, path: readonly string[] = []): Word[] {
  const children = command.commands.filter(isShown);
  const taker = defaultOf(command) ?? command;
  const flags = [...taker.options.map(({ long }) => long ?? '').filter((flag) => flag !== ''), '--help'];
  const own: Word = {
    path: path.join(' '),
    summary: command.description(),
    commands: children.map((child) => child.name()),
    flags,
  };
  return [own, ...children.flatMap((child) => describeWords(child, [...path, child.name()]))];
}

export function writeCompletion(shell: Shell, words: readonly Word[]): string {
  return WRITERS[shell](words);
}

const WRITERS = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const satisfies Record<
  Shell,
  (words: readonly Word[]) => string
>;

/** How the scripts query values. */
const VALUES = '__complete --';

function cases(words: readonly Word[]): string {
  return words
    .map(({ path, commands, flags }) => `    '${path}') words='${[...commands, ...flags].join(' ')}' ;;`)
    .join('\n');
}

/** Words that name a known command make up the path. */
function writeBash(words: readonly Word[]): string {
  return `# bash completion for servicectl
_servicectl() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "\${path:+$path }$word" in
      ${words
        .filter(({ path }) => path !== '')
        .map(({ path }) => `'${path}'`)
        .join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases(words)}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *)
      local values=''
      # The first word is a command, which needs no query.
      [[ -n "$path" ]] && values="$("\${COMP_WORDS[0]}" ${VALUES} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null | cut -f1)"
      if [[ -n "$values" ]]; then
        local IFS=$'\\n'
        COMPREPLY=($values)
      else
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      fi
      ;;
  esac
}
complete -o default -F _servicectl servicectl
`;
}

function writeZsh(words: readonly Word[]): string {
  return `#compdef servicectl
_servicectl() {
  local path_words='' word choices=''
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word="\${words[i]}"
    case "\${path_words:+$path_words }$word" in
      ${words
        .filter(({ path }) => path !== '')
        .map(({ path }) => `'${path}'`)
        .join('|')}) path_words="\${path_words:+$path_words }$word" ;;
    esac
  done
  case "$path_words" in
${cases(words).replaceAll(' words=', ' choices=')}
  esac
  local -a found
  if [[ -n "$path_words" && "$PREFIX" != -* ]]; then found=(\${(f)"$("\${words[1]}" ${VALUES} "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null | cut -f1)"}); fi
  if (( $#found )); then compadd -- $found; return; fi
  compadd -- \${=choices}
  _files
}
if [ "$funcstack[1]" = "_servicectl" ]; then _servicectl "$@"; else compdef _servicectl servicectl; fi
`;
}

function writeFish(words: readonly Word[]): string {
  const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const summaries = new Map(words.map(({ path, summary }) => [path, summary]));
  const lines = words.flatMap(({ path, commands, flags }) => {
    const seen = path === '' ? [] : path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
    const unseen = commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.join(' ')}`];
    const where = (conditions: readonly string[]): string =>
      conditions.length === 0 ? '' : ` -n ${quote(conditions.join('; and '))}`;
    return [
      ...commands.map(
        (name) =>
          `complete -c servicectl -f${where([...seen, ...unseen])} -a ${name} -d ${quote(summaries.get(path === '' ? name : `${path} ${name}`) ?? '')}`,
      ),
      ...flags.map((flag) => `complete -c servicectl${where([...seen, ...unseen])} -l ${flag.slice(2)}`),
    ];
  });
  return `# fish completion for servicectl\nfunction __servicectl_values\n  set -l words (commandline -opc)\n  $words[1] ${VALUES} $words[2..-1] (commandline -ct) 2>/dev/null\nend\ncomplete -c servicectl -a '(__servicectl_values)'\n${lines.join('\n')}\n`;
}

import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedPlace,
  type CompletedValues,
  type CompletionTable,
  groupsIn,
  membersIn,
  shellLiteral,
} from './table.ts';

/** Completion for zsh, with descriptions, by `_arguments`. */
export function zshScript(table: CompletionTable): string {
  const groups = groupsIn(table);
  const singles = table.commands.filter(({ name }) => !name.includes(' '));
  return `#compdef storeport
# Completion of storeport for zsh. Written by: storeport completion zsh

_storeport_list() {
  local -a names
  names=(\${(f)"$(command storeport completion --list $1 --home "\${opt_args[--home]:-\${STOREPORT_HOME:-.storeport}}" 2>/dev/null)"})
  compadd "\${@:2}" -a names
}

_storeport_profiles() { _storeport_list profiles "$@" }
_storeport_runs() { compadd "$@" last; _storeport_list runs "$@" }

_storeport_mappings() {
  compadd "$@" ${table.presets.join(' ')}
  _files "$@" -g '*.(yaml|yml|json)(-.)'
}

_storeport_commands() {
  local -a commands
  commands=(
${described(table.firstWords.filter(([word]) => word !== 'help'))}
    'help:The help of a command'
  )
  _describe -t commands command commands "$@"
}

${groups.map((group) => groupFunction(table, group)).join('\n')}
_storeport_command() {
  case $words[1] in
${singles.map((command) => `    ${command.name})\n${argumentsOf(command)}\n      ;;`).join('\n')}
${groups
  .filter((group) => !group.includes(' '))
  .map((group) => `    ${group}) ${functionOf(group)} ;;`)
  .join('\n')}
    help) _arguments '1:command:_storeport_commands' ;;
  esac
}

_storeport() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C \\
${table.common.map((option) => `    ${optionSpec(option)} \\`).join('\n')}
    '--version[Show the version]' \\
    '1:command:_storeport_commands' \\
    '*::argument:_storeport_command'
}

if [ "$funcstack[1]" = _storeport ]; then
  _storeport "$@"
else
  compdef _storeport storeport
fi
`;
}

function groupFunction(table: CompletionTable, group: string): string {
  const members = membersIn(table, group);
  const name = functionOf(group);
  return `${name}_command() {
  case $words[1] in
${members.map(({ command, word }) => memberCase(word, command, group)).join('\n')}
  esac
}

${name}_words() {
  local -a commands
  commands=(
${described(members.map(({ word, summary }) => [word, summary]))}
  )
  _describe -t commands command commands "$@"
}

${name}() {
  local curcontext=$curcontext
  _arguments -C \\
${table.common.map((option) => `    ${optionSpec(option)} \\`).join('\n')}
    '1:command:${name}_words' \\
    '*::argument:${name}_command'
}
`;
}

function memberCase(word: string, command: CompletedCommand | undefined, group: string): string {
  if (command === undefined) return `    ${word}) ${functionOf(`${group} ${word}`)} ;;`;
  return `    ${word})\n${argumentsOf(command)}\n      ;;`;
}

/** The function that completes a group. */
function functionOf(group: string): string {
  return `_storeport_${group.replaceAll(' ', '_')}`;
}

function described(words: readonly (readonly [string, string])[]): string {
  return words.map(([word, what]) => `    ${shellLiteral(`${word}:${what}`)}`).join('\n');
}

function argumentsOf({ options, places }: CompletedCommand): string {
  const specs = [...options.map(optionSpec), ...places.map(placeSpec)];
  return `      _arguments \\\n${specs.map((spec) => `        ${spec}`).join(' \\\n')}`;
}

function optionSpec({ flag, describe, values, isRepeatable }: CompletedOption): string {
  const text = describe.replaceAll(/[\\[\]:]/g, '\\$&');
  if (values === undefined) return shellLiteral(`${flag}[${text}]`);
  return shellLiteral(`${isRepeatable ? '*' : ''}${flag}=[${text}]:${flag.slice(2)}:${action(values)}`);
}

function placeSpec({ name, values, isList, isRequired }: CompletedPlace): string {
  return shellLiteral(`${isList ? '*' : ''}:${isRequired || isList ? '' : ':'}${name}:${action(values)}`);
}

function action(values: CompletedValues): string {
  if (typeof values === 'object') {
    const starts = values.some((word) => word.endsWith('='));
    return starts ? `{compadd -S "" -- ${values.join(' ')}}` : `(${values.join(' ')})`;
  }
  return ACTIONS[values];
}

/** Actions of `_arguments`. A blank completes nothing. */
const ACTIONS: Readonly<Record<Exclude<CompletedValues, readonly string[]>, string>> = {
  file: '_files',
  folder: '_files -/',
  mapping: '_storeport_mappings',
  profile: '_storeport_profiles',
  run: '_storeport_runs',
  text: ' ',
};

import {
  type CompletedOption,
  type CompletedValues,
  type CompletionTable,
  groupsIn,
  membersIn,
  shellLiteral,
} from './table.ts';

/** Completion for fish, from 3.1 on, with descriptions. */
export function fishScript(table: CompletionTable): string {
  const { commands, common, firstWords } = table;
  const valued = new Set(
    [...common, ...commands.flatMap(({ options }) => options)]
      .filter(({ values }) => values !== undefined)
      .map(({ flag }) => flag),
  );
  const groups = groupsIn(table);
  return `# Completion of storeport for fish. Written by: storeport completion fish

# Prints the words before the cursor that are no options and no values of options.
function __storeport_words
    set -l skip 0
    for word in (commandline --cut-at-cursor --tokenize --current-process)[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word ${[...valued].join(' ')}
            set skip 1
        else if string match --quiet -- '-*' $word; or test $word = help
        else
            echo $word
        end
    end
end

# True if the words are those of the command in the first argument. With a second one, only if that many follow.
function __storeport_at
    set -l words (__storeport_words)
    set -l name (string split --no-empty ' ' -- $argv[1])
    set -l length (count $name)
    test (count $words) -ge $length; or return 1
    if test $length -gt 0
        test "$words[1..$length]" = "$argv[1]"; or return 1
    end
    set -l after (math (count $words) - $length)
    switch "$argv[2]"
        case ''
            return 0
        case '*+'
            test $after -ge (string trim --chars=+ -- $argv[2])
        case '*'
            test $after -eq $argv[2]
    end
end

function __storeport_list
    set -l home .storeport
    set -q STOREPORT_HOME; and set home $STOREPORT_HOME
    set -l words (commandline --cut-at-cursor --tokenize --current-process)
    if set -l at (contains --index -- --home $words)
        set -q words[(math $at + 1)]; and set home $words[(math $at + 1)]
    end
    command storeport completion --list $argv[1] --home $home 2>/dev/null
end

function __storeport_mappings
    printf '%s\\n' ${table.presets.join(' ')}
    __fish_complete_suffix .yaml
end

complete -c storeport -f
complete -c storeport -l version -d 'Show the version' -n '__storeport_at "" 0'
${common.map((option) => optionLine(option, undefined)).join('\n')}
${firstWords.map(([word, what]) => wordLine(word, what, '')).join('\n')}
${groups
  .flatMap((group) => membersIn(table, group).map(({ word, summary }) => wordLine(word, summary, group)))
  .join('\n')}
${commands
  .map(({ name, options, places }) =>
    [
      '',
      `# ${name}`,
      ...places.map(({ values, isList }, index) => {
        const condition = `__storeport_at ${doubleQuoted(name)} ${index}${isList ? '+' : ''}`;
        return `complete -c storeport -n ${shellLiteral(condition)} ${valueWords(values, { isPlace: true })}`;
      }),
      ...options.filter((option) => !common.includes(option)).map((option) => optionLine(option, name)),
    ].join('\n'),
  )
  .join('\n')}
`;
}

function wordLine(word: string, what: string, group: string): string {
  return `complete -c storeport -n ${shellLiteral(`__storeport_at "${group}" 0`)} -a ${word} -d ${shellLiteral(what)}`;
}

function optionLine({ flag, describe, values }: CompletedOption, command: string | undefined): string {
  const condition =
    command === undefined ? [] : ['-n', shellLiteral(`__storeport_at ${doubleQuoted(command)}`)];
  const value = values === undefined ? [] : [valueWords(values, { isPlace: false })];
  return [
    'complete -c storeport',
    ...condition,
    '-l',
    flag.slice(2),
    ...value,
    '-d',
    shellLiteral(describe),
  ].join(' ');
}

function doubleQuoted(text: string): string {
  return `"${text}"`;
}

/** Options of `complete` for the values: `-r` needs a value, `-x` needs one that is no file, `-F` allows files. */
function valueWords(values: CompletedValues, { isPlace }: { readonly isPlace: boolean }): string {
  const needed = isPlace ? '' : '-x ';
  if (typeof values === 'object') return `${needed}-a ${shellLiteral(values.join(' '))}`;
  switch (values) {
    case 'file':
      return isPlace ? '-F' : '-r -F';
    case 'folder':
      return `${needed}-a '(__fish_complete_directories)'`;
    case 'mapping':
      return `${needed}-a '(__storeport_mappings)'`;
    case 'profile':
      return `${needed}-a '(__storeport_list profiles)'`;
    case 'run':
      return `${needed}-a ${shellLiteral(`${isPlace ? 'last ' : ''}(__storeport_list runs)`)}`;
    case 'text':
      return isPlace ? '-f' : '-x';
  }
}

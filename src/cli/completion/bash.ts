import { type CompletedValues, type CompletionTable, groupsIn, membersIn } from './table.ts';

/**
 * Completion for bash, from 3.2 on, which macOS has. Names of profiles and runs come from files of the folder, so they are
 * never expanded: `compgen -W` would run commands in them.
 */
export function bashScript(table: CompletionTable): string {
  const { commands, common } = table;
  const options = commands.flatMap((command) => command.options.map((option) => ({ ...option, command })));
  const valued = new Set(options.filter(({ values }) => values !== undefined).map(({ flag }) => flag));
  const values = uniqueValues(options);
  return `# Completion of storeport for bash. Written by: storeport completion bash

_storeport_offer() {
  local word
  for word in "$@"; do
    case $word in
      "$cur"*) COMPREPLY+=("$word") ;;
    esac
  done
  compopt +o default 2>/dev/null
  case \${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac
}

# Names that are known only now: profiles, runs. They are shellLiteral, since they may hold anything.
_storeport_list() {
  local word
  while IFS= read -r word; do
    case $word in
      "$cur"*) COMPREPLY+=("$(printf %q "$word")") ;;
    esac
  done < <(command storeport completion --list "$1" --home "$home" 2>/dev/null)
  compopt +o default 2>/dev/null
}

# Files and folders beside other words. Of a path that begins with ~, readline completes files itself.
_storeport_paths() {
  local path
  case $cur in '~'*) COMPREPLY=(); compopt -o default 2>/dev/null; return ;; esac
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}

_storeport_values() {
  case $1 in
${values.map(({ pattern, values }) => `    ${pattern}) ${action(values, table)} ;;`).join('\n')}
    *) _storeport_offer ;;
  esac
}

_storeport_options() {
  case $1 in
${commands
  .map(({ name, options }) => `    ${pattern(name)}) _storeport_offer ${flags(options)} ;;`)
  .join('\n')}
    *) _storeport_offer ${flags(common)} --version ;;
  esac
}

_storeport_place() {
  case $1 in
    :0) _storeport_offer ${table.firstWords.map(([word]) => word).join(' ')} ;;
${[...groupLines(table), ...placeLines(table)].map((line) => `    ${line}`).join('\n')}
    *) _storeport_offer ;;
  esac
}

_storeport() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command='' option='' home=\${STOREPORT_HOME:-.storeport} index=1 place=0 word next
  COMPREPLY=()
  while [ $index -lt $COMP_CWORD ]; do
    word=\${COMP_WORDS[index]}
    index=$((index + 1))
    case $word in
      --*=*) ;;
      -*)
        next=\${COMP_WORDS[index]}
        if [ "$next" = = ]; then
          [ $index -eq $COMP_CWORD ] && cur=
          index=$((index + 1))
        else
          case $word in
            ${[...valued].join('|')}) ;;
            *) continue ;;
          esac
        fi
        [ $index -ge $COMP_CWORD ] && option=$word
        [ "$word" = --home ] && [ -z "$option" ] && home=\${COMP_WORDS[index]}
        index=$((index + 1))
        ;;
      help) [ -n "$command" ] && place=$((place + 1)) ;;
      *)
        if [ -z "$command" ]; then
          command=$word
        else
          case "$command $word" in
            ${[...new Set([...groupsIn(table), ...commands.map(({ name }) => name)])]
              .filter((name) => name.includes(' '))
              .map(pattern)
              .join('|')}) command="$command $word" ;;
            *) place=$((place + 1)) ;;
          esac
        fi
        ;;
    esac
  done
  if [ -n "$option" ]; then
    _storeport_values "$command $option"
  else
    case $cur in
      -*) _storeport_options "$command" ;;
      *) _storeport_place "$command:$place" ;;
    esac
  fi
}

complete -o default -F _storeport storeport
`;
}

/** Patterns for the values of options. If an option means the same in all commands, one pattern says so. */
function uniqueValues(
  options: readonly {
    readonly flag: string;
    readonly values: CompletedValues | undefined;
    readonly command: { readonly name: string };
  }[],
): { pattern: string; values: CompletedValues }[] {
  const known = new Map<string, Map<string, { values: CompletedValues; commands: string[] }>>();
  for (const { flag, values, command } of options) {
    if (values === undefined || values === 'text') continue;
    const kinds = known.get(flag) ?? new Map<string, { values: CompletedValues; commands: string[] }>();
    const kind = kinds.get(String(values)) ?? { values, commands: [] };
    kind.commands.push(command.name);
    known.set(flag, kinds.set(String(values), kind));
  }
  return [...known].flatMap(([flag, kinds]) => {
    if (kinds.size === 1)
      return [...kinds.values()].map(({ values }) => ({ pattern: `*' ${flag}'`, values }));
    return [...kinds.values()].map(({ values, commands }) => ({
      pattern: commands.map((name) => `'${name} ${flag}'`).join('|'),
      values,
    }));
  });
}

function action(values: CompletedValues, { presets }: CompletionTable): string {
  if (typeof values === 'object') return `_storeport_offer ${values.join(' ')}`;
  switch (values) {
    case 'file':
      // Without a reply, readline completes files.
      return ':';
    case 'folder':
      return '_storeport_paths -d';
    case 'mapping':
      return `_storeport_offer ${presets.join(' ')}; _storeport_paths -f`;
    case 'profile':
    case 'run':
      return `_storeport_list ${values}s`;
    case 'text':
      return '_storeport_offer';
  }
}

function groupLines(table: CompletionTable): string[] {
  return groupsIn(table).map((group) => {
    const members = membersIn(table, group).map(({ word }) => word);
    return `${pattern(group)}:0) _storeport_offer ${members.join(' ')} ;;`;
  });
}

function placeLines(table: CompletionTable): string[] {
  return table.commands.flatMap(({ name, places }) =>
    places.map(({ values, isList }, index) => {
      const words = values === 'run' ? '_storeport_offer last; ' : '';
      return `'${name}':${isList ? '*' : index}) ${words}${action(values, table)} ;;`;
    }),
  );
}

function flags(options: readonly { readonly flag: string }[]): string {
  return options.map(({ flag }) => flag).join(' ');
}

function pattern(name: string): string {
  return name.includes(' ') ? `'${name}'` : name;
}

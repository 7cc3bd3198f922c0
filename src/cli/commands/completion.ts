import { ConfigError, shownWord } from '../../model/index.ts';
import type { Command } from './command.ts';

const SHELLS = ['bash', 'zsh', 'fish'];

interface CompletionArguments {
  readonly home: string;
  readonly shell?: string;
  readonly list?: 'profiles' | 'runs';
}

export const completionCommand: Command<CompletionArguments> = {
  usage: 'completion [shell]',
  summary: 'Print a script with which bash, zsh or fish complete commands, options and their values',
  positionals: { shell: { describe: SHELLS.join(', '), completes: SHELLS } },
  options: {
    list: {
      topic: 'output',
      choices: ['profiles', 'runs'],
      describe: 'Print these names instead, one a line: the scripts call it',
    },
  },
  examples: [
    ['eval "$($0 completion bash)"', 'bash: at the end of ~/.bashrc'],
    ['eval "$($0 completion zsh)"', 'zsh: in ~/.zshrc, after compinit'],
    ['$0 completion fish | source', 'fish: in ~/.config/fish/config.fish'],
  ],
  epilogue: () =>
    'To start shells faster, write the script to a file, once after each update:\n' +
    '  bash  storeport completion bash > ~/.local/share/bash-completion/completions/storeport\n' +
    '  zsh   storeport completion zsh > a folder of $fpath, as _storeport\n' +
    '  fish  storeport completion fish > ~/.config/fish/completions/storeport.fish',
  async run({ shell, list, home }, { terminal, commands }) {
    if (list !== undefined) {
      const names = await LISTS[list](home);
      if (names.length > 0) terminal.out(names.join('\n'));
      return 0;
    }
    const { completionTable, SHELL_SCRIPTS } = await import('../completion/index.ts');
    const script = shell === undefined ? undefined : SHELL_SCRIPTS[shell];
    if (!script) throw await unknownShell(shell);
    const { presetIndex } = await import('../../map/presets/preset-index.ts');
    const presets = presetIndex().map(({ name }) => name);
    terminal.out(script(completionTable(commands, presets)).trimEnd());
    return 0;
  },
};

const LISTS: Readonly<Record<'profiles' | 'runs', (home: string) => Promise<readonly string[]>>> = {
  profiles: async () => (await import('../options/config.ts')).profileNames(),
  runs: async (home) => (await import('../../pipeline/index.ts')).runIds(home),
};

async function unknownShell(shell: string | undefined): Promise<ConfigError> {
  const hints = ['See: storeport completion --help'];
  if (shell === undefined) return new ConfigError(`Name the shell: ${SHELLS.join(', ')}.`, hints);
  const { didYouMean } = await import('../../map/did-you-mean.ts');
  return new ConfigError(
    `There is no completion for the shell "${shownWord(shell)}".${didYouMean(shell, SHELLS)} There is one for ${SHELLS.join(', ')}.`,
    hints,
  );
}

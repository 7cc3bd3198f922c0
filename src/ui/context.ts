import type { CommandPort } from './command-port.ts';

/** Shared by all parts of the server. */
export interface UiContext {
  readonly commands: CommandPort;
  /** Folder of the ledger. The server keeps its own state in `ui/` below it. */
  readonly home: string;
  /** Real path of the folder below which files are opened and written. */
  readonly folder: string;
  /**
   * Resolves a path that the page named, relative to `folder`, links included. A file that does not exist yet is resolved
   * by its folder. Throws ConfigError if it is outside of `folder` and was not named on the command line.
   */
  readonly within: (path: string) => string;
  /** True if a real path is still one that `within` returns. Another server may have kept it, for another folder. */
  readonly reaches: (path: string) => boolean;
  /** Path of a private folder below `ui/` in `home`, which is made. */
  readonly ownFolder: (...parts: readonly string[]) => string;
  /** The path as it is shown: relative if it is below `folder`. */
  readonly shown: (path: string) => string;
  /** Working directory of the server, in which its commands run. */
  readonly cwd: string;
  /** The path as a word of a command: relative if it is below `cwd`. */
  readonly word: (path: string) => string;
}

/** Files that are being worked on. */
export interface Works {
  /**
   * Words of `import` or `validate` for a work: the resource, the file, and the options that read and map it. Writes the
   * mapping to its file first, if a person changed it since. Throws NotFound, ConfigError if there is no mapping yet.
   * `version`: see `refuseStale`.
   */
  sourceWords(id: string, version?: string | null): Promise<readonly string[]>;
  /** Name of the file of a work. Throws NotFound. */
  nameOf(id: string): string;
}

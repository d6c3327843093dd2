/** Messages between a benchmark and the processes of its two servers. */
export interface Listening {
  readonly port: number;
}

/** A statement as our api sent it. Statements with a name are prepared once per connection. */
export interface Sent {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Asked =
  /** Asks our api for the statements since the last question. */
  | { readonly ask: 'statements' }
  /** Tells the bare server which statements answer a path. */
  | { readonly ask: 'serve'; readonly path: string; readonly statements: readonly Sent[] }
  /** Asks for the memory in use by the process in bytes, after a garbage collection. */
  | { readonly ask: 'memory' };

/** A value as `pg` takes it. Instants travel as ISO text, amounts as bigint. */
export type SqlValue =
  string | number | bigint | boolean | null | Buffer | readonly (string | number | bigint | null)[];

export interface Statements {
  /** Rows in snake_case: timestamptz is a number of milliseconds, date is text, bigint is text (see `bigint()`). */
  query<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  /** The number of rows an INSERT, UPDATE or DELETE touched. */
  execute(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

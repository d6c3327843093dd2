/** A value that `pg` accepts. Times are passed as ISO text, and amounts as bigint. */
export type SqlValue =
  string | number | bigint | boolean | null | Buffer | readonly (string | number | bigint | null)[];

export interface Statements {
  /**
   * Runs a query and returns rows in snake_case. timestamptz is a number of milliseconds, date is text, and bigint is
   * text (see `bigint()`).
   */
  query<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  /** Runs an INSERT, UPDATE or DELETE and returns the number of affected rows. */
  execute(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

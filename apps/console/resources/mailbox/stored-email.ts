/** Email of an installation that sends none. */
export interface StoredEmail {
  readonly id: number;
  readonly subject: string;
  readonly to: string;
  readonly created_at: string;
  /** Missing in the list's record, which is shown until the email itself has loaded. */
  readonly text?: string;
}

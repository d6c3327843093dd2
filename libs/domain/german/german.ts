/** A German sentence for each message of the tables named: a missing one does not compile. */
export type German<Tables> = { readonly [Area in keyof Tables]: Readonly<Record<keyof Tables[Area], string>> };

/** A German sentence for each message of the given tables. A missing one is a compile error. */
export type German<Tables> = { readonly [Area in keyof Tables]: Readonly<Record<keyof Tables[Area], string>> };

/** A page of an administrators' list, in the format of the specification. */
export interface NumberedPage {
  readonly total_pages: number;
  readonly current_page: number;
  readonly has_next: boolean;
  readonly has_previous: boolean;
}

export function numberedPage({ page, perPage, total }: { page: number; perPage: number; total: number }): NumberedPage {
  const pages = Math.max(1, Math.ceil(total / perPage));
  return { total_pages: pages, current_page: page, has_next: page < pages, has_previous: page > 1 };
}

import { CONSTANTS } from '@moorage/domain';
import type { ReactNode } from 'react';
import { ListBase, type SortPayload } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { type Beyond, numberedPages } from '../data/paging';
import { AdminOnly } from './admin-only';

const quiet = (): void => undefined;

/** A list that only administrators see, at the place that the address says. */
export function AdminList({ resource, sort, children }: { resource: string; sort: SortPayload; children: ReactNode }) {
  const beyond = useBeyond();
  return (
    <AdminOnly>
      <ListBase
        resource={resource}
        perPage={CONSTANTS.pageSizeDefault}
        sort={sort}
        storeKey={false}
        disableAuthentication
        queryOptions={{ onError: quiet, ...(beyond === null ? {} : { meta: { cursor: beyond.cursor } }) }}
      >
        {children}
      </ListBase>
    </AdminOnly>
  );
}

/**
 * `?cursor=…&from=10001` beside the last page that has a number: the place behind it. With any other page, as after a new
 * search or another order, they are left over and say nothing.
 */
export function useBeyond(): Beyond | null {
  const [address] = useSearchParams();
  const numberIn = (name: string): number => Number(address.get(name));
  const cursor = address.get('cursor');
  const from = numberIn('from');
  if (cursor === null || !Number.isInteger(from) || from <= CONSTANTS.pagedRowsMax) return null;
  return numberIn('page') === numberedPages(numberIn('perPage')) ? { cursor, from, isGuess: false } : null;
}

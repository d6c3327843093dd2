import { CONSTANTS } from '@moorage/domain';
import type { ReactNode } from 'react';
import { useListContext } from 'react-admin';
import { useText } from '../../texts/console-i18n';
import { List } from '../../ui/list/list';
import { TabsInput } from '../../ui/list/tabs-input';
import './review-table.css';
import { ReviewTabs } from './review-tabs';

/** Returns the state of the reviews shown. Without a filter the API lists the pending ones. */
export function useReviewState<State extends string>(decided: readonly State[]): State | 'waiting' {
  const { state } = useListContext().filterValues as { state?: unknown };
  return decided.find((each) => each === state) ?? 'waiting';
}

/** Page with pending or decided reviews. `children` is the table. */
export function ReviewList<State extends 'granted' | 'approved' | 'rejected'>({
  resource,
  decided,
  failed,
  emptyTexts,
  children,
}: {
  resource: 'referrals' | 'credit-requests';
  /** States after a decision. */
  decided: readonly State[];
  failed: string;
  /** Texts for no reviews in a state. */
  emptyTexts: Readonly<Record<State | 'waiting', string>>;
  children: ReactNode;
}) {
  const t = useText();
  return (
    <List
      resource={resource}
      sort={{ field: 'id', order: 'ASC' }}
      perPage={CONSTANTS.adminCreditsPerPage}
      keepsRows={false}
      title={t('admin_referrals.title')}
      above={<ReviewTabs />}
      filters={
        <TabsInput
          source="state"
          label={t('admin_referrals.state')}
          tabs={[
            { value: '', label: t('admin_referrals.states.waiting') },
            ...decided.map((value) => ({ value, label: t(`admin_referrals.states.${value}`) })),
          ]}
        />
      }
      failed={failed}
      empty={<Empty decided={decided} texts={emptyTexts} />}
    >
      {children}
    </List>
  );
}

function Empty<State extends string>({
  decided,
  texts,
}: {
  decided: readonly State[];
  texts: Readonly<Record<State | 'waiting', string>>;
}) {
  return texts[useReviewState(decided)];
}

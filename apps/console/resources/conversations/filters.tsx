import type { CONVERSATION_KINDS, CONVERSATION_STATES, ConversationState } from '@moorage/contracts';
import { useListContext } from 'react-admin';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { SearchInput } from '../../ui/list/search-input';
import { SelectFilter } from '../../ui/list/select-filter';
import { TabsInput } from '../../ui/list/tabs-input';
import { UserFilter } from './user-filter';

/** Values repeated here with the contracts' types, because importing them would bundle their schemas. */
const STATES: typeof CONVERSATION_STATES = ['open', 'answered', 'closed'];
const KINDS: typeof CONVERSATION_KINDS = ['contact', 'package'];

/** Returns the state of the conversations shown. Without a filter the API lists those that wait. */
export function useConversationState(): ConversationState {
  const { state } = useListContext().filterValues as { state?: unknown };
  return STATES.find((each) => each === state) ?? 'open';
}

export function StateTabs() {
  const t = useText();
  const { data: counts } = useRead('conversations', 'GET /support/admin/counts', {});
  return (
    <div className="tools inbox-states">
      <TabsInput
        source="state"
        label={t('support_inbox.state')}
        tabs={[
          {
            value: '',
            label: t('support_inbox.states.open'),
            count: counts?.open,
            isMarked: (counts?.overdue ?? 0) > 0,
          },
          { value: 'answered', label: t('support_inbox.states.answered') },
          { value: 'closed', label: t('support_inbox.states.closed') },
        ]}
      />
    </div>
  );
}

/** Search and filters by assignee, kind, support level and account. */
export function Filters() {
  const t = useText();
  return (
    <>
      <SearchInput label={t('support_inbox.search')} short={t('support_inbox.search_short')} />
      <SelectFilter
        source="assigned_to"
        label={t('support_inbox.assigned')}
        choices={[
          ['', t('support_inbox.assigned_to.anybody')],
          ['me', t('support_inbox.assigned_to.me')],
          ['nobody', t('support_inbox.assigned_to.nobody')],
        ]}
      />
      <SelectFilter
        source="kind"
        label={t('support_inbox.kind')}
        choices={[
          ['', t('support_inbox.kinds.any')],
          ...KINDS.map((kind) => [kind, t(`support_inbox.kinds.${kind}`)] as const),
        ]}
      />
      <SelectFilter
        source="level"
        label={t('support_inbox.level')}
        choices={[
          ['', t('support_inbox.levels.any')],
          ...['1', '2', '3'].map((level) => [level, t('support_inbox.levels.one', { level })] as const),
        ]}
      />
      <UserFilter />
    </>
  );
}

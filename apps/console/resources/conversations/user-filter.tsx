import type { AdminUserAnswer } from '@moorage/contracts';
import { X } from 'lucide-react';
import { useGetOne, useListContext } from 'react-admin';
import { isId } from '../../data/addresses';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';

/** Names the account whose conversations are shown, and shows those of all others again. */
export function UserFilter() {
  const { setFilters, ...list } = useListContext();
  const { user_id: id, ...others } = list.filterValues as Record<string, unknown>;
  return typeof id === 'string' && isId(id) ? <OfUser id={id} onShowAll={() => setFilters(others)} /> : null;
}

function OfUser({ id, onShowAll }: { id: string; onShowAll: () => void }) {
  const t = useText();
  const { data } = useGetOne<AdminUserAnswer>('users', { id: Number(id) });
  return (
    <Button endIcon={X} onClick={onShowAll}>
      {t('support_inbox.of', { name: data?.username ?? `#${id}` })}
      <span className="vh">, {t('support_inbox.show_all')}</span>
    </Button>
  );
}

import type { InboxConversation, SupportStaff } from '@moorage/contracts';
import { useSession } from '../../data/session';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { SelectField } from '../../ui/form/select-field';
import './assignee.css';

/** Administrator who handles the conversation, chosen from all of them. */
export function Assignee({ conversation: { id, assignee } }: { conversation: InboxConversation }) {
  const t = useText();
  const me = useSession()?.user;
  const { data: staff = [] } = useRead('conversations', 'GET /support/admin/staff', {});
  const assign = useAction('conversations', 'assign', {
    done: ({ assignee: now }) =>
      now === null
        ? t('support_inbox.conversation.unassigned')
        : t('support_inbox.conversation.assigned', { name: now.username }),
    failed: t('support_inbox.conversation.again'),
  });
  const chosen = assign.isPending ? assign.variables.body.user_id : (assignee?.id ?? null);
  const assignTo = (user_id: number | null): void => {
    if (!assign.isPending) assign.mutate({ params: { id }, body: { user_id } });
  };
  return (
    <div className="assignee">
      <SelectField
        label={t('support_inbox.conversation.assignee')}
        value={String(chosen ?? '')}
        onChange={(value) => assignTo(value === '' ? null : Number(value))}
      >
        <option value="">{t('support_inbox.nobody')}</option>
        {withAssignee(staff, assignee).map((each) => (
          <option key={each.id} value={each.id}>
            {each.username}
          </option>
        ))}
      </SelectField>
      {me == null || chosen === me.id ? null : (
        <Button busy={assign.isPending} onClick={() => assignTo(me.id)}>
          {t('support_inbox.conversation.take')}
        </Button>
      )}
    </div>
  );
}

/** Adds the assignee, who may no longer be an administrator. The list may also not have loaded yet. */
const withAssignee = (staff: readonly SupportStaff[], assignee: SupportStaff | null): readonly SupportStaff[] =>
  assignee === null || staff.some(({ id }) => id === assignee.id) ? staff : [assignee, ...staff];

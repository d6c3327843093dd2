import { useEffect } from 'react';
import { type NotificationPayload, useNotificationContext, useTakeUndoableMutation, useTranslate } from 'react-admin';
import { showToast } from '../ui/toasts';

/** Options of `useNotify` and `useToast`. */
interface Options {
  readonly messageArgs?: Record<string, unknown>;
  readonly autoHideDuration?: number | null;
  readonly undoable?: boolean;
  readonly title?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Shows the notifications of react-admin as toasts. */
export function Notification() {
  const { notifications, takeNotification } = useNotificationContext();
  const takeMutation = useTakeUndoableMutation();
  const translate = useTranslate();
  useEffect(() => {
    const notification = notifications.length === 0 ? undefined : takeNotification();
    if (notification === undefined) return;
    const { message, type, notificationOptions } = notification;
    const options: Options = notificationOptions ?? {};
    const { messageArgs, autoHideDuration, undoable = false, title, action } = options;
    // The oldest mutation that waits belongs to the oldest notification.
    const mutation = undoable ? takeMutation() : undefined;
    showToast(typeof message === 'string' ? translate(message, messageArgs) : message, kindOf(type), {
      title,
      durationMs: autoHideDuration,
      undo: undoable
        ? { label: translate('ra.action.undo'), end: (isUndo) => mutation?.({ isUndo }) }
        : action === undefined
          ? undefined
          : { label: action.label, end: (isUndo) => (isUndo ? action.run() : undefined) },
    });
  }, [notifications, takeNotification, takeMutation, translate]);
  return null;
}

/** A warning looks like any other information. */
const kindOf = (type: NotificationPayload['type']): 'info' | 'success' | 'error' =>
  type === 'warning' ? 'info' : type;

import { useEffect } from 'react';
import { type NotificationPayload, useNotificationContext, useTakeUndoableMutation, useTranslate } from 'react-admin';
import { showToast } from '../ui/toasts';

/** Shows the notifications of react-admin as toasts. */
export function Notification() {
  const { notifications, takeNotification } = useNotificationContext();
  const takeMutation = useTakeUndoableMutation();
  const translate = useTranslate();
  useEffect(() => {
    if (notifications.length === 0) return;
    const notification = takeNotification();
    if (notification === undefined) return;
    const { message, type, notificationOptions = {} } = notification as NotificationPayload;
    const { messageArgs, autoHideDuration, undoable, title } = notificationOptions;
    // The oldest mutation that waits belongs to the oldest notification.
    const mutation = undoable === true ? takeMutation() : undefined;
    showToast(typeof message === 'string' ? translate(message, messageArgs) : message, kindOf(type), {
      title,
      durationMs: autoHideDuration,
      ...(undoable === true
        ? { undo: { label: translate('ra.action.undo'), end: (isUndo) => mutation?.({ isUndo }) } }
        : {}),
    });
  }, [notifications, takeNotification, takeMutation, translate]);
  return null;
}

/** A warning looks like any other information. */
const kindOf = (type: NotificationPayload['type']): 'info' | 'success' | 'error' =>
  type === 'warning' ? 'info' : type;

import { useMutation } from '@tanstack/react-query';
import { api } from './api';

export function useResendVerification() {
  return useMutation({
    mutationFn: () => api('POST /users/resend-verification'),
  });
}

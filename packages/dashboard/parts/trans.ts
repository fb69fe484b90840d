import { TransNoContext } from '@lingui/react/server'
import { createElement, type ComponentProps } from 'react'
import { i18n } from './words.ts'

type Props = Pick<ComponentProps<typeof TransNoContext>, 'id' | 'values' | 'components' | 'message'>

/** A text with elements in it, which the build replaces `<Trans>` with. Without a context: a change of language loads the page. */
export const Trans = (props: Props) => createElement(TransNoContext, { ...props, lingui: { i18n } })

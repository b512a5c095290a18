/** Templates in the styles of three families of models. */

export const CHATML =
  "{%- for message in messages %}" +
  "{{- '<|im_start|>' + message['role'] + '\\n' + message['content'] | trim + '<|im_end|>' + '\\n' }}" +
  "{%- endfor %}" +
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";

/** The system's message stands inside the user's first; roles must alternate. */
export const INST = `{% if messages[0]['role'] == 'system' %}
{% set system = '<<SYS>>\\n' + messages[0]['content'] + '\\n<</SYS>>\\n\\n' %}
{% set rest = messages[1:] %}
{% else %}
{% set system = '' %}
{% set rest = messages %}
{% endif %}
{% for message in rest %}
    {% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
        {{ raise_exception('roles must alternate user/assistant') }}
    {% endif %}
    {% if message['role'] == 'user' %}
        {{- bos_token + '[INST] ' + (system if loop.first else '') + message['content'] + ' [/INST]' }}
    {%- else %}
        {{- ' ' + message['content'] + ' ' + eos_token }}
    {%- endif %}
{% endfor %}`;

/** Roles in tags, an introduction by name, and a switch of the caller's own. */
export const TAGGED = `{%- set names = {'user': 'U', 'assistant': 'A', 'system': 'S'} -%}
{%- if brief is defined and brief -%}brief
{% endif -%}
{%- for message in messages -%}
<{{ names[message.role] }}>{{ message.content }}</{{ names[message.role] }}>{{ eos_token if message.role == 'assistant' }}
{% endfor -%}
{%- if add_generation_prompt -%}<A>{%- endif -%}`;

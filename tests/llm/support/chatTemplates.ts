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

/** ChatML that marks the assistant's parts, in the form of TRL's training templates. */
export const TRAINING = `{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {{- '<|im_start|>assistant\\n' }}{% generation %}{{ message.content + '<|im_end|>' }}{% endgeneration %}{{- '\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
`;

/** Marks the assistant's parts with tags on lines of their own, whose white space Jinja removes. */
export const BLOCKS = `{% for message in messages %}
    {% if message.role == 'assistant' %}
<a>
        {%- generation -%}
        {{ message.content }}
        {% set last = loop.last %}
        {% if last %}
!
        {% endif %}
        {%- endgeneration -%}
</a>
        {% generation %}
        {{ eos_token }}
        {% endgeneration %}
    {% else %}
<u>{{ message.content }}</u>
    {% endif %}
{% endfor %}
`;

/** Leaves the thoughts of earlier answers out, as templates of reasoning models do. */
export const SHORTENED =
  "{%- for message in messages %}" +
  "{{- '<|im_start|>' + message.role + '\\n' }}" +
  "{{- message.content if loop.last else message.content.split('</think>')[-1] }}{{- '<|im_end|>\\n' }}" +
  "{%- endfor %}" +
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";

// What a suspected secret looks like; model/secrets.hpp says what may become a rule. No two rules
// begin alike.
#pragma once

#include <string_view>

namespace logwood {

/// How a match is told from a placeholder.
enum class SecretKind : unsigned char { token, password, block };

struct SecretRule {
  std::string_view name;        ///< what a match seems to be, for people
  std::string_view expression;  ///< the secret is the first group, or all of it
  SecretKind kind = SecretKind::token;
};

inline constexpr SecretRule secret_rules[] = {
    {"anthropic key", R"(\bsk-ant-[a-z]{2,8}[0-9]{2}-[A-Za-z0-9_-]{40,})"},
    {"openai key", R"(\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,})"},
    {"openai key", R"(\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b)"},
    {"openrouter key", R"(\bsk-or-v1-[0-9a-f]{64}\b)"},
    {"google key", R"(\b(AIza[A-Za-z0-9_-]{35})(?:[^A-Za-z0-9_-]|\z))"},
    {"groq key", R"(\bgsk_[A-Za-z0-9]{52}\b)"},
    {"xai key", R"(\bxai-[A-Za-z0-9]{80}\b)"},
    {"perplexity key", R"(\bpplx-[A-Za-z0-9]{48}\b)"},
    {"replicate token", R"(\br8_[A-Za-z0-9]{37}\b)"},
    {"huggingface token", R"(\bhf_[A-Za-z0-9]{34}\b)"},
    {"aws access key id", R"(\b(?:AKIA|ASIA)[A-Z2-7]{16}\b)"},
    {"aws secret key",
     R"re((?i:aws_?secret_?(?:access_?)?key|secret_?access_?key)[\\"']{0,3}\s{0,3}[:=>]{1,2}\s{0,3}[\\"']{0,3}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|\z))re"},
    {"github token", R"(\bgh[pousr]_[A-Za-z0-9]{36,}\b)"},
    {"github token", R"(\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b)"},
    {"gitlab token", R"(\bgl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{20,})"},
    {"slack token", R"(\bxox[abeoprs]-(?:[0-9]{1,14}-){1,3}[A-Za-z0-9]{16,}\b)"},
    {"slack token", R"(\bxapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{8,14}-[0-9a-f]{64}\b)"},
    {"slack webhook",
     R"(\bhooks\.slack\.com/services/(T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{24})\b)"},
    {"stripe key", R"(\b[sr]k_live_[A-Za-z0-9]{24,}\b)"},
    {"npm token", R"(\bnpm_[A-Za-z0-9]{36}\b)"},
    {"pypi token", R"(\bpypi-AgE[A-Za-z0-9_-]{60,})"},
    {"docker token", R"(\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27,})"},
    {"digitalocean token", R"(\bdo[opr]_v1_[0-9a-f]{64}\b)"},
    {"databricks token", R"(\bdapi[0-9a-f]{32}(?:-[0-9])?\b)"},
    {"vault token", R"(\bhvs\.[A-Za-z0-9_-]{90,})"},
    {"sendgrid key", R"(\b(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})(?:[^A-Za-z0-9_-]|\z))"},
    {"twilio key", R"(\bSK[0-9a-f]{32}\b)"},
    {"azure storage key", R"(\bAccountKey=([A-Za-z0-9/+]{86}==))"},
    {"age key", R"(\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b)"},
    {"logwood token", R"(\blwt_[A-Za-z0-9_-]{43,})"},
    {"json web token", R"(\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,})"},
    // Line breaks may be written out, where the block lies in a string of a file. Older keys have
    // lines such as `DEK-Info: …` in front.
    {"private key",
     R"re(-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s"',+]|\\[nr])*(?:[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\s|\\[nr])+){0,4}(?:[A-Za-z0-9/+=]{16,}(?:[\s"',+]|\\[nr])*){2,}[A-Za-z0-9/+=]{0,15}(?:[\s"',+]|\\[nr])*(?:-----END [A-Z0-9 ]{1,60}-----)?)re",
     SecretKind::block},
    {"password in a url",
     R"re(\b(?:postgres(?:ql)?|mysql|mariadb|mssql|sqlserver|clickhouse|mongodb(?:\+srv)?|rediss?|amqps?|nats|ldaps?|smtps?|s?ftp|ssh|https?)(?:\+[a-z0-9]{1,16})?://[^\s/?#:@"'<>`\\]{0,100}:([^\s/?#@"'<>`\\]{6,200})@[A-Za-z0-9\[])re",
     SecretKind::password},
};

}  // namespace logwood

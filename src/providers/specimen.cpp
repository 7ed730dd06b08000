#include "providers/specimen.hpp"

namespace logwood::providers {
namespace {

constexpr std::string_view of_anthropic = R"({"model":"m","max_tokens":1,
"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],
"tools":[{"name":"read","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}],
"messages":[
{"role":"user","content":[
 {"type":"text","text":"t"},
 {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},
 {"type":"image","source":{"type":"url","url":"https://example.com/a.png"}},
 {"type":"image","source":{"type":"file","file_id":"file_1"}},
 {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"},"context":"c","citations":{"enabled":true}},
 {"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"}},
 {"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}},
 {"type":"container_upload","file_id":"file_2"}]},
{"role":"assistant","content":[
 {"type":"thinking","thinking":"t","signature":"AAAA"},
 {"type":"redacted_thinking","data":"AAAA"},
 {"type":"compaction","content":"c"},
 {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
 {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","title":"t","url":"https://example.com","encrypted_content":"AAAA"}]},
 {"type":"text","text":"t","citations":[{"type":"char_location","cited_text":"c","document_title":"d"}]},
 {"type":"tool_use","id":"toolu_1","name":"read","input":{}},
 {"type":"tool_use","id":"toolu_2","name":"read","input":{}},
 {"type":"tool_use","id":"toolu_3","name":"read","input":{}}]},
{"role":"user","content":[
 {"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"r"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},
 {"type":"tool_result","tool_use_id":"toolu_2","content":"failed","is_error":true},
 {"type":"tool_result","tool_use_id":"toolu_3"}]},
{"role":"system","content":"s"},
{"role":"assistant","content":"t"}]})";

constexpr std::string_view of_chat = R"({"model":"m",
"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}},{"type":"custom","custom":{"name":"note"}}],
"messages":[
{"role":"developer","content":"s"},
{"role":"user","name":"n","content":[
 {"type":"text","text":"t"},
 {"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"high"}},
 {"type":"image_url","image_url":{"url":"https://example.com/a.png"}},
 {"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},
 {"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}},
 {"type":"file","file":{"file_id":"file-1"}}]},
{"role":"assistant","reasoning_content":"r","content":[{"type":"text","text":"t"},{"type":"refusal","refusal":"r"}],"tool_calls":[
 {"id":"call_1","type":"function","function":{"name":"read","arguments":"{}"}},
 {"id":"functions.read:0","type":"function","function":{"name":"read","arguments":"not json"}},
 {"id":"call_3","type":"custom","custom":{"name":"note","input":"i"}}]},
{"role":"tool","tool_call_id":"call_1","content":"r"},
{"role":"tool","tool_call_id":"functions.read:0","content":""},
{"role":"tool","tool_call_id":"call_3","content":"r"},
{"role":"developer","content":"s"},
{"role":"assistant","content":"t"}]})";

constexpr std::string_view of_responses = R"({"model":"m","instructions":"s",
"tools":[{"type":"function","name":"read","parameters":{"type":"object"}},{"type":"custom","name":"note"},{"type":"web_search"}],
"input":[
{"role":"user","content":[
 {"type":"input_text","text":"t"},
 {"type":"input_image","detail":"high","image_url":"data:image/png;base64,AAAA"},
 {"type":"input_image","detail":"auto","image_url":"https://example.com/a.png"},
 {"type":"input_image","detail":"auto","file_id":"file-1"},
 {"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"},
 {"type":"input_file","file_url":"https://example.com/a.pdf"}]},
{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"r"}],"encrypted_content":"AAAA"},
{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},
{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"t","annotations":[{"type":"url_citation","url":"https://example.com","title":"t"}]},{"type":"refusal","refusal":"r"}]},
{"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{}"},
{"type":"function_call","id":"fc_2","call_id":"call_2","name":"read","arguments":"not json"},
{"type":"custom_tool_call","id":"ctc_1","call_id":"call_3","name":"note","input":"i"},
{"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text","text":"r"},{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,AAAA"}]},
{"type":"function_call_output","call_id":"call_2","output":""},
{"type":"custom_tool_call_output","call_id":"call_3","output":"r"},
{"role":"developer","content":"s"},
{"type":"compaction","id":"cmp_1","encrypted_content":"AAAA"},
{"type":"mcp_list_tools","id":"mcpl_1","server_label":"l","tools":[]},
{"type":"message","id":"msg_2","role":"assistant","status":"completed","content":[{"type":"output_text","text":"t","annotations":[]}]}]})";

constexpr std::string_view of_gemini = R"({"systemInstruction":{"parts":[{"text":"s"}]},
"tools":[{"functionDeclarations":[{"name":"read.file:all","parametersJsonSchema":{"type":"object"}}]},{"codeExecution":{}}],
"contents":[
{"role":"user","parts":[
 {"text":"t"},
 {"inlineData":{"mimeType":"image/png","data":"AAAA"}},
 {"inlineData":{"mimeType":"image/heic","data":"AAAA"}},
 {"inlineData":{"mimeType":"audio/wav","data":"AAAA"}},
 {"inlineData":{"mimeType":"video/mp4","data":"AAAA"}},
 {"inlineData":{"mimeType":"application/pdf","data":"AAAA"}},
 {"fileData":{"mimeType":"application/pdf","fileUri":"gs://bucket/a.pdf"}},
 {"fileData":{"mimeType":"application/pdf","fileUri":"https://example.com/a.pdf"}}]},
{"role":"model","parts":[
 {"text":"r","thought":true},
 {"executableCode":{"language":"PYTHON","code":"c"}},
 {"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"o"}},
 {"inlineData":{"mimeType":"image/png","data":"AAAA"}},
 {"functionCall":{"id":"call_1","name":"read.file:all","args":{}},"thoughtSignature":"AAAA"},
 {"functionCall":{"id":"call_2","name":"read.file:all","args":{}}},
 {"text":"t"}]},
{"role":"user","parts":[
 {"functionResponse":{"id":"call_1","name":"read.file:all","response":{"output":"r"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}},
 {"functionResponse":{"id":"call_2","name":"read.file:all","response":{"error":"failed"}}}]},
{"role":"user","parts":[{"text":"t"}]},
{"role":"model","parts":[{"text":"t","thoughtSignature":"AAAA"}]}]})";

}  // namespace

std::string_view specimen_of(Api api) {
  switch (api) {
    case Api::openai_chat:
      return of_chat;
    case Api::openai_responses:
      return of_responses;
    case Api::gemini:
      return of_gemini;
    default:
      return of_anthropic;
  }
}

}  // namespace logwood::providers

// The server as a browser, or somebody else, meets it.
#include "live/server.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "live/guard.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using Json = nlohmann::json;

const std::string pendulum = R"(armature: 1
name: a pendulum
gravity: [0, -9.81, 0]
parameters: {length: 1 m}   # of the rod
bodies:
  bob: {mass: 1 kg, center: [length, 0, 0], inertia: {zz: 0}}
joints:
  theta: {type: revolute, axis: z, between: [ground, bob]}
simulate: {end: 1 s, record: 0.1 s}
)";

class Live : public testing::Test {
 protected:
  Live() {
    std::filesystem::create_directory(temporary / "in");
    std::ofstream(temporary / "in/p.yaml") << pendulum;
    std::ofstream(temporary / "outside.yaml") << "secret";
    std::ofstream(temporary / "outside.csv") << "x,y\n0,0\n1,1\n";
    folder.emplace(temporary / "in");
    server = std::make_unique<LiveServer>(*folder, LiveOptions{"127.0.0.1", 0, "p.yaml"});
    listening = std::thread([this] { server->listen(); });
    client.emplace("127.0.0.1", server->port());
    client->set_read_timeout(20);
  }
  ~Live() override {
    server->stop();
    listening.join();
  }

  // A connection by itself, and what comes on it first.
  int connected() const {
    sockaddr_in address{};
    address.sin_family = AF_INET, address.sin_port = htons(static_cast<std::uint16_t>(server->port()));
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    const int bare = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(connect(bare, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return bare;
  }
  static std::string answer_on(int bare) {
    char text[64] = {};
    return {text, static_cast<std::size_t>(std::max<ssize_t>(0, recv(bare, text, sizeof text, 0)))};
  }

  std::string own() const { return "127.0.0.1:" + std::to_string(server->port()); }
  httplib::Headers keyed() const { return {{"X-Armature-Key", server->key()}}; }
  int get(const std::string& path, const httplib::Headers& headers) { return client->Get(path, headers)->status; }
  httplib::Result post(const std::string& path, const std::string& body, const std::string& type = "application/json") {
    return client->Post(path, keyed(), body, type);
  }
  Json run(const std::string& text, Json edits = Json::array(), const std::string& name = "p.yaml") {
    return finished("1", begin("1", text, edits, name));
  }
  // The first answer to a request for a run; it may say that the run is under way.
  Json begin(const std::string& page, const std::string& text, Json edits = Json::array(),
             const std::string& name = "p.yaml") {
    return Json::parse(
        post("/api/run", Json{{"page", page}, {"name", name}, {"text", text}, {"edits", edits}}.dump())->body);
  }
  Json result(const std::string& page, const Json& reply) {
    const std::string path = "/api/result?page=" + page + "&run=" + std::to_string(reply["run"].get<long>());
    return Json::parse(client->Get(path, keyed())->body);
  }
  Json finished(const std::string& page, Json reply) {
    for (; reply["status"] == "running"; std::this_thread::sleep_for(std::chrono::milliseconds(5)))
      reply = result(page, reply);
    return reply;
  }
  Json state(const std::string& page) {
    return Json::parse(client->Get("/api/state?page=" + page + "&name=p.yaml", keyed())->body);
  }
  // Of the processor, from Stop until the page's run is over.
  double seconds_to_stop(const std::string& page) {
    post("/api/stop", R"({"page": ")" + page + R"("})");
    const std::clock_t asked = std::clock();
    while (state(page)["running"]) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return static_cast<double>(std::clock() - asked) / CLOCKS_PER_SEC;
  }

  TemporaryFolder temporary;
  std::optional<ServedFolder> folder;
  std::unique_ptr<LiveServer> server;
  std::thread listening;
  std::optional<httplib::Client> client;
};

// Bytes that are not UTF-8 go to the page and back without a change.
TEST_F(Live, SavesBytesThatAreNotUtf8) {
  const std::string odd = pendulum + "# Tr\xe4gheit\n";
  std::ofstream(temporary / "in/p.yaml") << odd;
  const Json file = Json::parse(client->Get("/api/file?name=p.yaml", keyed())->body);
  const Json reply = run(file["text"], {{{"path", {"parameters", "length"}}, {"value", "2 m"}}});
  EXPECT_EQ(reply["status"], "finished") << reply["sentence"];
  const Json save{{"name", "p.yaml"}, {"text", reply["text"]}, {"stamp", file["stamp"]}};
  EXPECT_EQ(post("/api/save", save.dump())->status, 200);
  std::ifstream in(temporary / "in/p.yaml");
  std::string wanted = odd;
  wanted.replace(wanted.find("1 m}"), 3, "2 m");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), wanted);
}

// Such a text once ended the program, and with it all pages.
TEST_F(Live, SurvivesAModelThatIsNotFiniteAtItsStart) {
  const Json reply = run(pendulum + "constraints: {c: {type: prescribed, zero: 'sqrt(theta) - t'}}\n");
  EXPECT_EQ(reply["status"], "error");
  EXPECT_EQ(reply["errors"][0]["line"], 10);
}

// A model that takes long to compile neither holds up other pages nor ignores Stop. Seconds of the processor, as in
// docs/reliability.md: a busy machine does not change them.
TEST_F(Live, StopsWhileAModelIsCompiled) {
  const std::string chain = R"(armature: 1
gravity: [0, -9.81, 0]
bodies:
  b1: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
  "b{i}": {for: {i: 2..2000}, mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}}
joints:
  j1: {type: revolute, axis: z, between: [ground, b1]}
  "j{i}": {for: {i: 2..2000}, type: revolute, axis: z, between: ["b{i-1} [1, 0, 0]", "b{i}"]}
)";
  ASSERT_EQ(begin("slow", chain)["status"], "running");
  EXPECT_EQ(run(pendulum)["status"], "finished");
  EXPECT_TRUE(state("slow")["running"]);
  EXPECT_LT(seconds_to_stop("slow"), 0.4);
}

// The library would wait for each of their bytes anew.
TEST_F(Live, DropsClientsThatDripTheirRequests) {
  std::vector<int> drips;
  for (int k = 0; k < 40; ++k) {
    drips.push_back(connected());
    ASSERT_GT(send(drips.back(), "GET / HT", 8, MSG_NOSIGNAL), 0);
  }
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(get("/api/files", keyed()), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(3));
  bool dropped = false;
  for (int k = 0; k < 30 && !dropped; ++k) {  // the second send to a closed connection fails
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    dropped = send(drips.front(), "T", 1, MSG_NOSIGNAL) < 0;
  }
  EXPECT_TRUE(dropped);
  for (int drip : drips) close(drip);
}

// They took all threads for ten seconds each: the answer came after 20 s.
TEST_F(Live, AnswersBesideHundredsOfIdleConnections) {
  std::vector<int> idle;
  for (int k = 0; k < 400; ++k) {
    idle.push_back(connected());
    if (k % 2 == 0) send(idle.back(), "GET / HT", 8, MSG_NOSIGNAL);
  }
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(get("/api/files", keyed()), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(4));
  for (int connection : idle) close(connection);
}

TEST_F(Live, RefusesCompressedRequests) {
  client->set_compress(true);
  EXPECT_EQ(post("/api/run", Json{{"page", "1"}, {"name", "p.yaml"}, {"text", pendulum}}.dump())->status, 415);
}

TEST_F(Live, RefusesRequestsOfUnknownLength) {
  const auto endless = [](std::size_t sent, httplib::DataSink& sink) {
    const std::string piece(1 << 20, 'x');
    return sent < 16u << 20 ? sink.write(piece.data(), piece.size()) : (sink.done(), true);
  };
  const auto answer = client->Post("/api/save", keyed(), endless, "application/json");
  EXPECT_TRUE(!answer || answer->status == 411);  // the connection may be closed before all is sent
}

TEST_F(Live, LetsThePageRunItsOwnScriptsOnly) {
  const auto page = client->Get("/?key=" + server->key());
  ASSERT_EQ(page->status, 200);
  const std::string policy = page->get_header_value("Content-Security-Policy");
  EXPECT_THAT(policy, testing::StartsWith("default-src 'none'; script-src 'nonce-"));
  const std::string nonce = policy.substr(policy.find("nonce-") + 6, 32);
  for (std::size_t at = 0; (at = page->body.find("<script", at)) != std::string::npos; ++at)
    EXPECT_EQ(page->body.substr(at + 7, 8 + nonce.size()), " nonce=\"" + nonce) << at;
}

// A link inside the folder leads out of it, and the loop fills in its name.
TEST_F(Live, ChecksTablesAfterTheirNamesAreFilledIn) {
  std::filesystem::create_directory_symlink("..", temporary / "in/t1");
  const Json reply = run(pendulum + "tables: {\"f{i}\": {for: {i: 1..1}, file: \"t{i}/outside.csv\"}}\n");
  EXPECT_EQ(reply["status"], "error");
  EXPECT_THAT(reply["sentence"].get<std::string>(),
              testing::HasSubstr("'t1/outside.csv' is outside the served folder"));
}

TEST_F(Live, ServesFilesOfItsFolderOnly) {
  EXPECT_EQ(Json::parse(client->Get("/api/file?name=p.yaml", keyed())->body)["text"], pendulum);
  for (const char* name : {"..%2Foutside.yaml", "../outside.yaml", "%2e%2e%2foutside.yaml", "%2Fetc%2Fpasswd",
                           "/etc/passwd", "..%252Foutside.yaml", "p.yaml%00.yaml", ""}) {
    const auto result = client->Get(std::string("/api/file?name=") + name, keyed());
    EXPECT_THAT(result->status, testing::AnyOf(403, 404)) << name;
    EXPECT_THAT(result->body, testing::Not(testing::HasSubstr("secret"))) << name;
  }
  for (const char* path :
       {"/../outside.yaml", "/%2e%2e/outside.yaml", "/p.yaml", "//etc/passwd", "/api", "/api/file/p.yaml"})
    EXPECT_EQ(get(path, keyed()), 404) << path;
}

// A body that ends with the connection: the library would read it to its end, however long it is.
TEST_F(Live, RefusesBodiesWithoutALength) {
  const int bare = connected();
  const std::string head =
      fmt::format("POST /api/run HTTP/1.1\r\nHost: {}\r\nX-Armature-Key: {}\r\nContent-Type: application/json\r\n\r\n",
                  own(), server->key());
  ASSERT_EQ(send(bare, head.data(), head.size(), MSG_NOSIGNAL), static_cast<ssize_t>(head.size()));
  EXPECT_THAT(answer_on(bare), testing::StartsWith("HTTP/1.1 411 "));
  close(bare);
}

// The library would take the body for the next request.
TEST_F(Live, RefusesGetWithABodyInPieces) {
  const int bare = connected();
  const std::string head =
      fmt::format("GET /api/files HTTP/1.1\r\nHost: {}\r\nX-Armature-Key: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
                  own(), server->key());
  ASSERT_EQ(send(bare, head.data(), head.size(), MSG_NOSIGNAL), static_cast<ssize_t>(head.size()));
  EXPECT_THAT(answer_on(bare), testing::StartsWith("HTTP/1.1 411 "));
  close(bare);
}

TEST_F(Live, DropsEndlessLines) {
  const int bare = connected();
  ASSERT_GT(send(bare, "GET / HTTP/1.1\r\nX: ", 19, MSG_NOSIGNAL), 0);
  const std::string piece(1 << 16, 'x');
  long sent = 0;
  for (ssize_t n = 0; n >= 0 && sent < 1 << 30; sent += n) n = send(bare, piece.data(), piece.size(), MSG_NOSIGNAL);
  EXPECT_LT(sent, 64 << 20);  // much of it is in the buffers of the connection
  close(bare);
}

TEST_F(Live, RefusesOtherNamesOriginsAndMissingKeys) {
  const std::string files = "/api/files";
  EXPECT_EQ(get(files, keyed()), 200);
  EXPECT_EQ(get(files, {}), 403);
  EXPECT_EQ(get(files, {{"X-Armature-Key", "0123"}}), 403);
  EXPECT_EQ(get("/", {}), 403);
  const auto with = [&](const char* name, const std::string& value) {
    httplib::Headers headers = keyed();
    headers.emplace(name, value);
    return get(files, headers);
  };
  EXPECT_EQ(with("Host", "evil.example:" + std::to_string(server->port())), 403);  // a name made to lead here
  EXPECT_EQ(with("Host", "127.0.0.1:1"), 403);
  EXPECT_EQ(with("Host", "localhost:" + std::to_string(server->port())), 200);
  EXPECT_EQ(with("Origin", "http://evil.example"), 403);
  EXPECT_EQ(with("Origin", "null"), 403);
  EXPECT_EQ(with("Sec-Fetch-Site", "cross-site"), 403);
  httplib::Headers own_page = keyed();
  own_page.emplace("Host", own()), own_page.emplace("Origin", "http://" + own());
  EXPECT_EQ(get(files, own_page), 200);
  const auto preflight = client->Options(files, {{"Origin", "http://evil.example"}});
  EXPECT_EQ(preflight->status, 403);
  EXPECT_FALSE(client->Get(files, keyed())->has_header("Access-Control-Allow-Origin"));
}

TEST_F(Live, SaysWhatIsWrongWithARequest) {
  EXPECT_EQ(post("/api/run", "{\"page\": 1")->status, 400);
  EXPECT_EQ(post("/api/run", "[]")->status, 400);
  EXPECT_EQ(post("/api/run", R"({"page": "1", "name": "p.yaml", "text": "a: 1", "edits": [1]})")->status, 400);
  EXPECT_EQ(post("/api/run", R"({"page": "1", "name": "p.yaml"})")->status, 400);
  EXPECT_EQ(post("/api/run", "{}", "text/plain")->status, 415);
  EXPECT_EQ(post("/api/run", R"({"page": "1", "name": "../outside.yaml", "text": "a: 1"})")->status, 403);
  const auto large = post("/api/run", std::string(9 << 20, ' '));
  EXPECT_EQ(large->status, 413);
  EXPECT_THAT(large->body, testing::HasSubstr("larger than 8 MiB"));
  EXPECT_THAT(post("/api/run", "x")->body, testing::HasSubstr("not an object of JSON"));
  EXPECT_THAT(post("/api/stop", R"({"page": 1})")->body, testing::HasSubstr("'page' in the request must be a text"));
  EXPECT_THAT(post("/api/stop", "{}")->body, testing::HasSubstr("'page' is missing"));
  EXPECT_EQ(get("/api/result?page=1&run=x", keyed()), 400);
  const auto wrong = client->Get("/api/run", keyed());
  EXPECT_EQ(wrong->status, 405);
  EXPECT_EQ(wrong->get_header_value("Allow"), "POST");
  EXPECT_THAT(wrong->body, testing::HasSubstr("/api/run is for POST, not for GET"));
  EXPECT_EQ(client->Delete("/api/files", keyed())->status, 405);
  const auto nothing = client->Get("/api/none", keyed());
  EXPECT_EQ(nothing->status, 404);
  EXPECT_THAT(nothing->body, testing::HasSubstr("nothing at this address"));
}

TEST_F(Live, RunsATextAndItsEdits) {
  const Json plain = run(pendulum);
  EXPECT_EQ(plain["status"], "finished");
  EXPECT_EQ(plain["document"]["run"]["model"]["name"], "a pendulum");
  EXPECT_EQ(plain["document"]["series"]["recorded"], 11);
  EXPECT_EQ(plain["text"], pendulum);
  const Json turned = run(pendulum, {{{"path", {"parameters", "length"}}, {"value", "2 m"}}});
  EXPECT_THAT(turned["text"].get<std::string>(), testing::HasSubstr("{length: 2 m}   # of the rod"));
  EXPECT_EQ(turned["document"]["scene"]["bodies"][0]["center"][0], 2);
}

TEST_F(Live, ErrorsHaveTheirLine) {
  std::string text = pendulum;
  text.replace(text.find("revolute"), 8, "revolvte");
  const Json reply = run(text);
  EXPECT_EQ(reply["status"], "error");
  EXPECT_EQ(reply["errors"][0]["line"], 8);
  EXPECT_THAT(reply["sentence"].get<std::string>(), testing::StartsWith("p.yaml:8: joints.theta.type: "));
  EXPECT_THAT(reply["errors"][0]["message"].get<std::string>(), testing::HasSubstr("did you mean 'revolute'?"));
  EXPECT_GT(reply["controls"].size(), 0);
  EXPECT_FALSE(reply.contains("document"));
  EXPECT_EQ(run("a: [1")["status"], "error");
  EXPECT_EQ(run("")["status"], "error");
  EXPECT_EQ(run(pendulum, {{{"path", {"parameters", "length"}}, {"value", "1\n2"}}})["status"], "error");
}

TEST_F(Live, ErrorsOfUsedFilesStandWhereTheyAreUsed) {
  std::ofstream(temporary / "in/part.yaml") << "bodies:\n  b: {mas: 1 kg, inertia: none}\n";
  const Json reply = run(pendulum + "use: {u: {file: part.yaml}}\n");
  EXPECT_EQ(reply["sentence"],
            "part.yaml:2: bodies.b.mas: unknown key (did you mean 'mass'?) (used in p.yaml:10 as u)");
  EXPECT_EQ(reply["errors"][0]["line"], 10);
  EXPECT_EQ(reply["errors"][0]["message"], "part.yaml:2: unknown key (did you mean 'mass'?)");
}

// A text can name files, too.
TEST_F(Live, ModelsNameNoFilesOutside) {
  std::ofstream(temporary / "in/inside.csv") << "x,y\n0,0\n1,1\n";
  const auto table = [&](const std::string& file) { return pendulum + "tables: {f: {file: " + file + "}}\n"; };
  EXPECT_EQ(run(table("inside.csv"))["status"], "finished");
  for (const std::string& file : std::vector<std::string>{"../outside.csv", (temporary / "outside.csv").string()}) {
    const Json reply = run(table(file));
    EXPECT_EQ(reply["status"], "error");
    EXPECT_EQ(reply["errors"][0]["line"], 10);
    EXPECT_THAT(reply["sentence"].get<std::string>(), testing::HasSubstr("is outside the served folder"));
  }
}

// 1e6 s of a pendulum: minutes of work.
std::string endless() {
  std::string text = pendulum;
  return text.replace(text.find("end: 1 s"), 8, "end: 1000000 s, rtol: 1e-12");
}

TEST_F(Live, ANewerRunEndsTheOneBefore) {
  const Json first = begin("1", endless());
  EXPECT_EQ(first["status"], "running");
  EXPECT_EQ(run(pendulum)["status"], "finished");
  EXPECT_EQ(result("1", first)["status"], "superseded");
}

TEST_F(Live, StopsARunAtOnce) {
  begin("2", endless());
  while (state("2")["t"] <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_LT(seconds_to_stop("2"), 0.2);
}

TEST_F(Live, AStoppedRunKeepsWhatThereIs) {
  const Json first = begin("2", endless());
  while (state("2")["t"] <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(post("/api/stop", R"({"page": "2"})")->status, 200);
  const Json reply = finished("2", first);
  EXPECT_EQ(reply["status"], "stopped");
  EXPECT_GT(reply["document"]["series"]["recorded"], 1);
}

// Many runs without end: everything else is answered at once, and each can be replaced.
TEST_F(Live, LongRunsHoldUpNobody) {
  std::map<std::string, Json> runs;
  for (int k = 0; k < 10; ++k) runs[std::to_string(k)] = begin(std::to_string(k), endless());
  const auto began = std::chrono::steady_clock::now();
  for (const auto& [page, reply] : runs) {
    EXPECT_EQ(reply["status"], "running");
    EXPECT_EQ(state(page)["running"], true);
  }
  EXPECT_EQ(get("/api/files", keyed()), 200);
  EXPECT_EQ(post("/api/stop", R"({"page": "7"})")->status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(3));
  EXPECT_EQ(finished("7", runs["7"])["status"], "stopped");
  EXPECT_EQ(finished("3", begin("3", pendulum))["status"], "finished");
}

TEST_F(Live, AnEmptyFieldIsSaidAndChangesNothing) {
  const Json reply = run(pendulum, {{{"path", {"parameters", "length"}}, {"value", ""}}});
  EXPECT_EQ(reply["status"], "error");
  EXPECT_EQ(reply["errors"][0]["message"], "parameters.length: the field is empty: write a value");
  EXPECT_EQ(reply["text"], pendulum);
  EXPECT_GT(reply["controls"].size(), 0);
}

TEST_F(Live, AValueTurnedInATextThatIsNoYamlKeepsTheErrorOfTheText) {
  const std::string text = pendulum + "a: [1\n";
  const Json reply = run(text, {{{"path", {"parameters", "length"}}, {"value", "2 m"}}});
  EXPECT_EQ(reply["errors"], run(text)["errors"]);
  EXPECT_GT(reply["errors"][0]["line"], 0);
  EXPECT_EQ(reply["text"], text);
}

TEST_F(Live, SavesAndSaysWhenTheFileHasChanged) {
  const std::string stamp = Json::parse(client->Get("/api/file?name=p.yaml", keyed())->body)["stamp"];
  const auto save = [&](const std::string& name, const std::string& text, const std::string& known) {
    return post("/api/save", Json{{"name", name}, {"text", text}, {"stamp", known}}.dump())->status;
  };
  EXPECT_EQ(save("p.yaml", "other", stamp), 200);
  EXPECT_EQ(folder->read("p.yaml").text, "other");
  EXPECT_EQ(save("p.yaml", "mine", stamp), 409);
  EXPECT_EQ(save("../outside.yaml", "mine", ""), 403);
  EXPECT_EQ(save("new.yaml", "mine", ""), 200);
  EXPECT_THAT(folder->models().names, testing::ElementsAre("new.yaml", "p.yaml"));
  EXPECT_EQ(save("none/new.yaml", "mine", ""), 404);
  EXPECT_EQ(save("two\nlines.yaml", "mine", ""), 403);
}

TEST_F(Live, APortThatIsTakenIsNotTakenTwice) {
  EXPECT_THROW(LiveServer(*folder, LiveOptions{"127.0.0.1", server->port(), "p.yaml"}), std::runtime_error);
}

TEST(Guard, ListeningEverywhereAnswersNumbersButNoNames) {
  const Guard guard("0.0.0.0", 8700, "key");
  const auto refuses = [&](const std::string& host) {
    return guard.refuses([&](const char* name) { return std::string(name) == "Host" ? host : ""; }).has_value();
  };
  EXPECT_FALSE(refuses("192.168.1.7:8700"));
  EXPECT_FALSE(refuses("[fe80::1]:8700"));
  EXPECT_FALSE(refuses("localhost:8700"));
  EXPECT_TRUE(refuses("evil.example:8700"));
  EXPECT_TRUE(refuses("192.168.1.7:8701"));
  EXPECT_TRUE(refuses(""));
  EXPECT_EQ(random_key().size(), 32);
  EXPECT_NE(random_key(), random_key());
}

}  // namespace
}  // namespace armature::internal
